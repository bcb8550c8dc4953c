import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import {
  changeConfiguration,
  currentHash,
  type OpenClawConfiguration,
} from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { readHolder } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadGatewayToken } from "../../src/state/token.js";
import { startTestGateway } from "../support/gateway.js";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = Object(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Occupies a port of loopback until the end of the test. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return Object(server.address()).port;
}

async function start(initial: OpenClawConfiguration) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const file = join(folder.path, "openclaw.json");
  folder.write({ "openclaw.json": JSON.stringify(initial) });
  const gateway = await startTestGateway(folder, {
    port: initial.gateway?.port ?? 0,
    portOf: (value) => value.gateway?.port ?? 0,
  });
  onTestFinished(() => gateway.stop("command"));
  const token = loadGatewayToken(gateway.state.tokenFile);
  const reload = (configuration: OpenClawConfiguration) => {
    writeFileSync(file, JSON.stringify(configuration));
    return gateway.reloadConfiguration();
  };
  return { gateway, file, token, reload };
}

const isServed = (url: string | undefined) =>
  fetch(`${url}/healthz`).then(
    async (response) => (await response.text()) !== "",
    () => false,
  );

describe("the listener", () => {
  it("[GW-660] moves to another port without a restart: conversations continue, and clients find it in the lock", async () => {
    const { gateway, token, reload } = await start({});
    const earlier = gateway.url ?? "";
    const client = createGatewayClient({ url: earlier, token });
    await client.call("sessions.create", { sessionKey: "agent:main:kept" });
    const port = await freePort();
    const outcome = await reload({ gateway: { port } });
    expect(outcome).toMatchObject({
      outcome: "applied",
      applied: ["gateway.port"],
      pending: [],
      listener: `http://127.0.0.1:${port}`,
    });
    expect(gateway.url).toBe(`http://127.0.0.1:${port}`);
    expect(await isServed(earlier)).toBe(false);
    const moved = createGatewayClient({ url: gateway.url ?? "", token });
    const { sessions } = await moved.call("sessions.list", {});
    expect(sessions.map(({ sessionKey }) => sessionKey)).toContain("agent:main:kept");
    expect(await readHolder(gateway.state.lockFile)).toMatchObject({ port });
  });

  it("[GW-660] [GW-661] stays where it is when the port is taken, and the change is taken back with the reason", async () => {
    const port = await takenPort();
    const { gateway, file, token } = await start({ tools: { deny: ["exec"] } });
    const before = readFileSync(file, "utf8");
    const client = createGatewayClient({ url: gateway.url ?? "", token });
    const baseHash = await currentHash(file);
    const change = client.call("config.set", {
      ...{ baseHash, idempotencyKey: "move" },
      changes: [
        { path: ["tools", "deny"], value: ["read"] },
        { path: ["gateway", "port"], value: port },
      ],
    });
    await expect(change).rejects.toMatchObject({
      code: "CONFIG_REJECTED",
      message: expect.stringContaining(`gateway.port: port ${port} on 127.0.0.1 is in use`),
    });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(await isServed(gateway.url)).toBe(true);
    const methods = await gateway.methods();
    expect((await methods.call("policy.explain", { tool: "read" })).allowed).toBe(true);
    expect(await gateway.reloadConfiguration()).toMatchObject({ outcome: "unchanged" });
  });

  it("[GW-660] keeps serving when the machine does not have a new address on the same port", async () => {
    const { gateway, reload } = await start({});
    const { url } = gateway;
    expect(await reload({ gateway: { bind: "192.0.2.7" } })).toMatchObject({
      outcome: "invalid",
      problem: expect.stringContaining("gateway.bind"),
    });
    expect(gateway.url).toBe(url);
    expect(await isServed(url)).toBe(true);
  });

  it("[GW-660] [GW-014] accepts a changed token at once on the same port, and rejects the earlier one", async () => {
    const { gateway, token, reload } = await start({});
    const { url } = gateway;
    const next = "another-token-of-24-characters";
    expect(await reload({ gateway: { auth: { token: next } } })).toMatchObject({
      applied: ["gateway.auth.token"],
      listener: url,
    });
    const statusWith = async (bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}` };
      const response = await fetch(`${url}/api/v1/host/status`, { headers });
      await response.text();
      return response.status;
    };
    expect(await statusWith(next)).toBe(200);
    expect(await statusWith(token)).toBe(401);
  });

  it("[GW-660] tells the connections of the earlier listener to connect again, and serves requests in progress to their end", async () => {
    const { gateway, token, reload } = await start({});
    const client = createGatewayClient({ url: gateway.url ?? "", token });
    const stream = await fetch(`${gateway.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const port = await freePort();
    // Over the earlier listener, which answers before it ends.
    const baseHash = await currentHash(join(gateway.state.dir, "../openclaw.json"));
    const changed = await client.call("config.set", {
      ...{ baseHash, idempotencyKey: "move" },
      changes: [{ path: ["gateway", "port"], value: port }],
    });
    expect(changed).toMatchObject({ listener: `http://127.0.0.1:${port}`, pending: [] });
    const text = await stream.text();
    expect(text).toContain("event: shutdown");
    expect(text).toContain('"restart"');
    expect(await reload({ gateway: { port } })).toMatchObject({ outcome: "unchanged" });
  });

  it("[GW-661] a change of something else is not taken back for a problem that was there before", async () => {
    const { gateway, file, reload } = await start({});
    const port = await takenPort();
    expect(await reload({ gateway: { port } })).toMatchObject({ outcome: "invalid" });
    const methods = await gateway.methods();
    const result = await methods.call("config.set", {
      baseHash: await currentHash(file),
      changes: [{ path: ["tools", "deny"], value: ["read"] }],
    });
    expect(result.problem).toContain("gateway.port");
    expect(readFileSync(file, "utf8")).toContain("read");
  });

  it("[GW-661] a rejected change removes a file that it created, and keeps what an editor wrote meanwhile", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const file = join(folder.path, "openclaw.json");
    const { ConfigurationRejectedError } = await import("@openclaw/configuration");
    const reject = async () => {
      throw new ConfigurationRejectedError("no");
    };
    const change = () =>
      changeConfiguration(file, [[["tools", "deny"], ["read"]]], { apply: reject });
    await expect(change()).rejects.toMatchObject({ code: "CONFIG_REJECTED" });
    expect(await currentHash(file)).toBe(await currentHash(join(folder.path, "none.json")));
    const meanwhile = async () => {
      writeFileSync(file, "{ logging: { level: 'debug' } }");
      throw new ConfigurationRejectedError("no");
    };
    await expect(
      changeConfiguration(file, [[["tools", "deny"], ["read"]]], { apply: meanwhile }),
    ).rejects.toMatchObject({ code: "CONFIG_REJECTED" });
    expect(readFileSync(file, "utf8")).toContain("debug");
  });
});
