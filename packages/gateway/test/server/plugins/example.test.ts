import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";
import { WireClient } from "../../support/wire-client.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const docs = join(import.meta.dirname, "../../../../../docs");

/** Starts a gateway that stops at the end of the test. */
async function started(
  configuration: string,
  options: Parameters<typeof startTestGateway>[1] = {},
) {
  const folder = temporaryFolder();
  folder.write({ "openclaw.json": configuration });
  const gateway = await startTestGateway(folder, { port: 0, ...options });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  const { url = "", state } = gateway;
  return { url, token: loadGatewayToken(state.tokenFile) };
}

it("[GW-030, GW-039, PLUG-035, PLUG-050, SDK-523] the example plugin serves a method, an event, a route and a panel until it is disabled", async () => {
  const { url, token } = await started("{}", { pluginPaths: [join(docs, "examples/counter")] });
  const client = new WireClient(url);
  onTestFinished(() => client.close());
  const { methods, events } = await client.connect(token);
  expect(methods).toContain("counter.add");
  expect(events).toEqual(expect.arrayContaining(["plugin.*", "plugins.changed"]));

  expect(await client.call("counter.add", { amount: 2 })).toEqual({ count: 2 });
  expect((await client.event("plugin.counter.changed")).payload).toEqual({ count: 2 });
  expect(await client.request("counter.add", { amount: "two" })).toMatchObject({
    ok: false,
    error: { code: "INVALID_REQUEST", message: "amount must be a number" },
  });
  const headers = { authorization: `Bearer ${token}` };
  const count = () => fetch(`${url}/plugins/counter/count`, { headers });
  expect(await (await count()).json()).toEqual({ count: 2 });
  const posted = await fetch(`${url}/api/v1/counter/add`, { method: "POST", headers });
  expect(await posted.json()).toEqual({ count: 3 });

  const { panels } = await client.call("plugins.inspect", { id: "counter" });
  const names = { methods: ["counter.add"], events: ["plugin.counter.changed"] };
  expect(panels).toEqual([
    { id: "board", title: "Count", url: expect.stringMatching(/index\.html$/), ...names },
  ]);
  const panel = () => fetch(`${url}${panels[0].url}`);
  expect(await (await panel()).text()).toContain("Add one");

  const { generation } = await client.call("plugins.reload", {
    id: "counter",
    idempotencyKey: "reload",
  });
  const changed = await client.event("plugins.changed");
  expect(changed).toMatchObject({ payload: { generation }, cursor: expect.any(String) });
  expect(await (await count()).json()).toEqual({ count: 0 });

  await client.call("plugins.disable", { id: "counter", idempotencyKey: "disable" });
  expect(await client.request("counter.add", {})).toMatchObject({
    ok: false,
    error: { code: "NOT_FOUND" },
  });
  expect((await count()).status).toBe(404);
  expect((await panel()).status).toBe(401);
});

it("[GW-041] the commands of the webhook guide send a signed request", async () => {
  const guide = readFileSync(join(docs, "operate/webhooks.md"), "utf8");
  const commands = /```sh\n(.*?)```/s.exec(guide)?.[1] ?? "";
  const configuration = /```json5\n(.*?)```/s.exec(guide)?.[1] ?? "";
  const secret = "a-secret-of-at-least-24-characters";
  vi.stubEnv("DEPLOY_SECRET", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url } = await started(configuration);
  const script = commands.replaceAll("http://127.0.0.1:18789", url);
  expect(script).not.toBe(commands);
  const { stdout } = await promisify(execFile)("bash", ["-c", script]);
  expect(JSON.parse(stdout)).toEqual({ messageId: expect.any(String) });
});
