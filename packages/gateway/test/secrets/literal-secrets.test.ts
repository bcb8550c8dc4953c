import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import { currentHash } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { readHolder } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestGateway } from "../support/gateway.js";

const KEY = "a-key-of-a-model-server-that-is-long";
const OWN = "a-gateway-token-of-more-than-24-characters";

async function start(configuration = "{}") {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "openclaw.json": configuration });
  const gateway = await startTestGateway(folder, { port: 0 });
  onTestFinished(() => gateway.stop("command"));
  const file = join(folder.path, "openclaw.json");
  /** The client of a command on this machine, which finds the token as the command line does. */
  const client = async () => {
    const { localToken } = (await readHolder(gateway.state.lockFile)) ?? {};
    const token = localToken ?? readFileSync(gateway.state.tokenFile, "utf8").trim();
    return createGatewayClient({ url: gateway.url ?? "", token });
  };
  const set = async (path: string[], value: unknown, key: string) =>
    (await client()).call("config.set", {
      ...{ baseHash: await currentHash(file), idempotencyKey: key },
      changes: [{ path, value }],
    });
  return { gateway, file, client, set, text: () => readFileSync(file, "utf8") };
}

describe("literal secrets of changes over the wire", () => {
  it("[GW-901] are stored, and the file and the settings of the database refer to them", async () => {
    const { set, text, client } = await start();
    const server = { type: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", apiKey: KEY };
    const changed = await set(["models", "providers", "spare"], server, "a");
    expect(changed).toMatchObject({ secrets: ["MODEL_SPARE_API_KEY"] });
    expect(text()).toContain("${secret:MODEL_SPARE_API_KEY}");
    expect(text()).not.toContain(KEY);
    const { call } = await client();
    const inDatabase = await call("settings.set", {
      changes: [{ path: ["models", "providers", "other"], value: server }],
    });
    expect(inDatabase).toMatchObject({ secrets: ["MODEL_OTHER_API_KEY"] });
    expect(JSON.stringify(await call("settings.list", {}))).not.toContain(KEY);
    const { secrets } = await call("secrets.list", {});
    expect(secrets.map(({ name }) => name)).toEqual(["MODEL_OTHER_API_KEY", "MODEL_SPARE_API_KEY"]);
  });

  it("[GW-901] of a change that is rejected are not stored", async () => {
    const { set, client, text } = await start();
    await expect(set(["gateway", "auth"], { token: "short" }, "a")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
    expect(text()).toBe("{}");
    expect(await (await client()).call("secrets.list", {})).toEqual({ secrets: [] });
  });
});

describe("the token of the gateway", () => {
  it("[GW-900] [GW-901] is moved to the store of secrets, and commands on the machine still reach the gateway", async () => {
    const { gateway, set, client, text } = await start();
    const changed = await set(["gateway", "auth", "token"], OWN, "a");
    expect(changed).toMatchObject({ secrets: ["GATEWAY_AUTH_TOKEN"], listener: gateway.url });
    expect(text()).toContain("${secret:GATEWAY_AUTH_TOKEN}");
    const details = readFileSync(`${gateway.state.lockFile}.json`, "utf8");
    expect(details).not.toContain(OWN);
    const { secrets } = await (await client()).call("secrets.list", {});
    expect(secrets).toMatchObject([{ name: "GATEWAY_AUTH_TOKEN" }]);
    const own = createGatewayClient({ url: gateway.url ?? "", token: OWN });
    expect((await own.call("secrets.list", {})).secrets).toHaveLength(1);
    // The token of the state folder is not one of this gateway any more.
    const former = readFileSync(gateway.state.tokenFile, "utf8").trim();
    const rejected = createGatewayClient({ url: gateway.url ?? "", token: former });
    await expect(rejected.call("secrets.list", {})).rejects.toMatchObject({
      kind: "unauthenticated",
    });
  });

  it("[GW-900] of commands ends with the process, and is not kept without a configured token", async () => {
    const { gateway } = await start();
    expect((await readHolder(gateway.state.lockFile))?.localToken).toBeUndefined();
    const other = await start(JSON.stringify({ gateway: { auth: { token: OWN } } }));
    expect((await readHolder(other.gateway.state.lockFile))?.localToken).toHaveLength(43);
    await other.gateway.stop("command");
    expect(existsSync(`${other.gateway.state.lockFile}.json`)).toBe(false);
  });
});
