import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient, type GatewayClient } from "@openclaw/client";
import { type TemporaryFolder, temporaryFolder, writePlugin } from "@openclaw/foundation/testing";
import { gatewayMethods } from "@openclaw/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

interface Api {
  readonly folder: TemporaryFolder;
  readonly client: GatewayClient;
  /** Posts a text to a method. */
  post(path: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Starts a gateway with a plugin `guard` that listens until the end of the test. */
async function api(): Promise<Api> {
  const folder = temporaryFolder();
  const gateway = await startTestGateway(folder, { port: 0 });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  writePlugin(join(folder.path, "mine"), { register: 'api.on("agent_end", () => {});' });
  const token = loadGatewayToken(gateway.state.tokenFile);
  const { url = "" } = gateway;
  return {
    folder,
    client: createGatewayClient({ url, token }),
    post: (path, body, headers = { authorization: `Bearer ${token}` }) =>
      fetch(`${url}/api/v1/${path}`, {
        method: "POST",
        headers: { "idempotency-key": randomUUID(), ...headers },
        body,
      }),
  };
}

describe("method over HTTP", () => {
  it("[PLUG-046] is called by a client as if it were in the same process", async () => {
    const { client, folder } = await api();
    const installed = await client.call("plugins.install", { specifier: "mine", cwd: folder.path });
    expect(installed).toMatchObject({
      outcome: "loaded",
      plugin: { id: "guard", status: "loaded" },
      consentNeeded: ["agent_end"],
    });
    const { plugins, generation } = await client.call("plugins.list", {});
    expect(plugins).toEqual([installed.plugin]);
    expect(generation).toBe(installed.generation);
    await client.call("plugins.enable", { id: "guard", allowConversation: true });
    expect(await client.call("plugins.inspect", { id: "guard" })).toMatchObject({
      hooks: [{ hook: "agent_end", active: true }],
    });
    expect(readFileSync(join(folder.path, "openclaw.json"), "utf8")).toContain("guard");
    expect(await client.call("plugins.disable", { id: "guard" })).toMatchObject({
      plugin: { status: "disabled" },
    });
    expect(await client.call("plugins.reload", {})).toMatchObject({ outcome: "loaded" });
    expect(await client.call("plugins.uninstall", { id: "guard" })).toMatchObject({
      outcome: "unloaded",
    });
    expect((await client.call("plugins.list", {})).plugins).toEqual([]);
  });

  it("accepts an empty body as no parameters", async () => {
    const { post } = await api();
    const response = await post("plugins/list", "");
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ plugins: [], diagnostics: [] });
  });

  it("requires the token", async () => {
    const { post } = await api();
    for (const headers of [{}, { authorization: "Bearer wrong" }]) {
      const response = await post("plugins/list", "", headers);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("generation");
    }
  });

  it.each([
    ["plugins/nothing", "", 404, "NOT_FOUND", /method plugins\.nothing not found/],
    ["__proto__/constructor", "", 404, "NOT_FOUND", /method .* not found/],
    ["plugins/list", "{", 400, "INVALID_REQUEST", /plugins\.list: send the parameters as JSON/],
    ["plugins/list", "null", 400, "INVALID_REQUEST", /plugins\.list: must be object/],
    ["plugins/list", '{"a":1}', 400, "INVALID_REQUEST", /plugins\.list: \/a is not a parameter/],
    ["plugins/inspect", "{}", 400, "INVALID_REQUEST", /plugins\.inspect: \/id is required/],
    ["plugins/inspect", '{"id":""}', 400, "INVALID_REQUEST", /\/id must not have fewer/],
    ["plugins/inspect", '{"id":"guard"}', 404, "PLUGIN_NOT_FOUND", /plugin "guard" not found/],
    [
      "plugins/install",
      '{"specifier":"./x","cwd":"/"}',
      400,
      "PLUGIN_SOURCE_UNUSABLE",
      /check the path/,
    ],
    [
      "policy/test",
      '{"files":[{"file":"a.json","document":{"case":[]}}]}',
      400,
      "POLICY_CASES_INVALID",
      /cases/,
    ],
  ])("responds to %s with %j: %i, %s", async (path, body, status, code, message) => {
    const [wireCode, kind] =
      status === 404 ? ["NOT_FOUND", "not-found"] : ["INVALID_REQUEST", "invalid"];
    const { post } = await api();
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: {
        ...{ code: wireCode, reason: code, kind, message: expect.stringMatching(message) },
        retryable: false,
        ...(code === "INVALID_REQUEST" && { details: { issues: expect.anything() } }),
      },
    });
  });

  it("reports at most five errors of the parameters", async () => {
    const { post } = await api();
    const extra = Object.fromEntries("abcdefgh".split("").map((key) => [key, 1]));
    const response = await post("plugins/install", JSON.stringify({ ...extra, force: 1 }));
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message.split("; ")).toHaveLength(5);
    expect(error).toMatchObject({
      details: {
        issues: [
          { path: "/specifier", message: "is required" },
          { path: "/cwd", message: "is required" },
          ...["/a", "/b", "/c"].map((path) => ({ path, message: expect.stringMatching(/not a/) })),
        ],
      },
    });
  });

  it("responds with 409 to a conflict", async () => {
    const { post, folder } = await api();
    mkdirSync(join(folder.path, "empty"));
    const parameters = JSON.stringify({ specifier: "empty", cwd: folder.path });
    const refused = await post("plugins/install", parameters);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      error: { code: "CONFLICT", reason: "PLUGIN_INSTALL_REFUSED" },
    });
    await post("plugins/install", JSON.stringify({ specifier: "mine", cwd: folder.path }));
    folder.write({ "openclaw.json": "{" });
    const broken = await post("plugins/disable", '{"id":"guard"}');
    expect(broken.status).toBe(409);
    expect(await broken.json()).toMatchObject({ error: { reason: "CONFIG_INVALID" } });
  });

  it("responds with 500 to an internal error, whose cause is only in the log", async () => {
    const { post, folder } = await api();
    const parameters = JSON.stringify({ specifier: "mine", cwd: folder.path });
    await post("plugins/install", parameters);
    const file = join(folder.path, "state/logs/gateway.log");
    // The gateway continues to write to the moved file, and finds a folder when it reads the log.
    renameSync(file, `${file}.moved`);
    mkdirSync(file);
    const unknown = await post("logs/tail", "{}");
    expect(unknown.status).toBe(500);
    const { error } = (await unknown.json()) as { error: { message: string } };
    expect(error).toMatchObject({ code: "INTERNAL", kind: "internal" });
    expect(error.message).not.toContain(folder.path);
    const [, id = "none"] = /log for (\S+)/.exec(error.message) ?? [];
    const log = readFileSync(`${file}.moved`, "utf8");
    expect(log.split("\n").find((line) => line.includes(id))).toContain("EISDIR");
    folder.write({ "state/plugin-installs.json": "[{" });
    const known = await post("plugins/update", '{"id":"guard"}');
    expect(known.status).toBe(500);
    expect(await known.json()).toMatchObject({
      error: { reason: "STATE_FOLDER_UNUSABLE", kind: "forbidden" },
    });
  });

  it("reports a rejection to the client with the gateway's message and code", async () => {
    const { client } = await api();
    await expect(client.call("plugins.inspect", { id: "guard" })).rejects.toMatchObject({
      code: "PLUGIN_NOT_FOUND",
      kind: "not-found",
      status: 404,
      message: expect.stringMatching(/^plugin "guard" not found/),
    });
  });

  it("exists for every method of the protocol", async () => {
    const { post } = await api();
    for (const method of Object.keys(gatewayMethods)) {
      const response = await post(method.replace(".", "/"), '{"no such parameter":1}');
      expect([method, response.status]).toEqual([method, 400]);
    }
  });
});
