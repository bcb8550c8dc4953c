import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explainAll, explainKey, loadConfiguration } from "@openclaw/configuration";
import { bindMount, canBindMount, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GatewayOptions } from "../../src/gateway-options.js";
import { openStoredSettings } from "../../src/index.js";
import type { Gateway } from "../../src/running-gateway.js";
import { withSettings } from "../../src/settings/layer.js";
import { startTestGateway } from "../support/gateway.js";

function folderWith(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write(files);
  return folder;
}

async function start(folder: ReturnType<typeof folderWith>, options: Partial<GatewayOptions> = {}) {
  const gateway = await startTestGateway(folder, options);
  onTestFinished(() => gateway.stop("command"));
  return gateway;
}

type Change = { path: string[]; value?: unknown };

async function set(gateway: Gateway, ...changes: Change[]) {
  return await (await gateway.methods()).call("settings.set", { changes });
}

async function allowed(gateway: Gateway, tool: string): Promise<boolean> {
  const methods = await gateway.methods();
  return (await methods.call("policy.explain", { tool })).allowed;
}

describe("settings of the database", () => {
  it("[HOST-007] [HOST-013] take precedence over the file, apply at once, and last", async () => {
    const folder = folderWith({ "openclaw.json": "{ tools: { deny: ['read'] } }" });
    const gateway = await startTestGateway(folder);
    expect(await allowed(gateway, "read")).toBe(false);
    expect(await set(gateway, { path: ["tools", "deny"], value: ["write"] })).toEqual({
      applied: ["tools.deny"],
      pending: [],
      failures: [],
    });
    expect(await allowed(gateway, "read")).toBe(true);
    expect(await allowed(gateway, "write")).toBe(false);
    // A change of the file does not reach a key of the database.
    writeFileSync(join(folder.path, "openclaw.json"), "{ tools: { deny: ['ls'] } }");
    await gateway.reloadConfiguration();
    expect(await allowed(gateway, "write")).toBe(false);
    await gateway.stop("command");
    const next = await start(folder);
    expect(await allowed(next, "write")).toBe(false);
    expect(await allowed(next, "ls")).toBe(true);
    await set(next, { path: ["tools"] });
    expect(await allowed(next, "write")).toBe(true);
    expect(await allowed(next, "ls")).toBe(false);
  });

  it("[HOST-007] [GW-004] choose the model, also without a file, unless LLM_BACKEND names another provider", async () => {
    const folder = folderWith({});
    const gateway = await startTestGateway(folder);
    const server = { type: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" };
    await set(
      gateway,
      { path: ["models", "providers", "lan"], value: server },
      { path: ["agents", "defaults", "model"], value: "lan/other" },
    );
    await gateway.stop("command");
    const stored = await startTestGateway(folder);
    expect(stored.model.ref).toBe("lan/other");
    await stored.stop("command");
    const other = await startTestGateway(folder, { environment: { LLM_BACKEND: "demo" } });
    expect(other.model.ref).toBe("demo/echo");
    await other.stop("command");
  });

  it("[HOST-007] are rejected as a whole when the configuration would not be valid", async () => {
    const gateway = await start(folderWith({}));
    const before = { path: ["tools", "deny"], value: ["write"] };
    await expect(
      set(gateway, before, { path: ["tools", "profile"], value: "codign" }),
    ).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("Nothing was written"),
    });
    expect(await allowed(gateway, "write")).toBe(true);
    for (const [path, value, reason] of [
      [["store", "url"], "file:x.db", "says where the database is"],
      [["gateway", "port"], 1, "before the database is open"],
      [["tools", "$include"], "tools.json5", "includes a file"],
    ] as const) {
      await expect(set(gateway, { path: [...path], value })).rejects.toThrow(reason);
    }
    expect(await (await gateway.methods()).call("settings.list", {})).toEqual({ settings: [] });
  });

  it("[GW-004] [HOST-012] are named as the origin, over the file and below a variable", async () => {
    const folder = folderWith({
      "openclaw.json":
        "{ agents: { defaults: { maxIterations: 3 }, clerk: { model: 'demo/echo' } } }",
    });
    const file = join(folder.path, "openclaw.json");
    const settings = async () => [
      { path: ["agents", "defaults", "maxIterations"], value: 5, source: "config set --db" },
      { path: ["agents", "clerk", "model"], value: "demo/other", source: "bootstrap.json" },
    ];
    const environment = { AGENT_MAX_TOOL_ITERATIONS: "9" };
    const configuration = await loadConfiguration(file, {
      environment,
      overlay: async (loaded) => withSettings(loaded, await settings(), { environment }),
    });
    const explain = (key: string, variables = {}) =>
      explainKey(configuration, key.split("."), { environment: variables });
    expect(explain("agents.defaults.maxIterations", environment)).toMatchObject({
      value: 9,
      origin: { layer: "environment" },
      shadowed: [
        { value: 5, origin: { layer: "database", source: "config set --db" } },
        { value: 3, origin: { layer: "file", line: 1 } },
        { value: 50, origin: { layer: "default" } },
      ],
    });
    expect(explain("agents.clerk.model")).toMatchObject({
      value: "demo/other",
      origin: { layer: "database", source: "bootstrap.json" },
    });
    expect(
      explainAll(configuration, { environment }).map(({ key, origin }) => [key, origin.layer]),
    ).toEqual([
      ["agents.defaults.maxIterations", "environment"],
      ["agents.clerk.model", "database"],
    ]);
    const model = (name: string) =>
      explainKey(configuration, ["agents", "clerk", "model"], {
        environment: { LLM_BACKEND: name },
      });
    expect(model("openai")?.value).toBe("demo/other");
  });

  it("[HOST-012] can be changed while no gateway runs, also when they prevent its start", async () => {
    const folder = folderWith({ "openclaw.json": "{}" });
    const open = () =>
      openStoredSettings({
        stateDir: join(folder.path, "state"),
        store: undefined,
        configurationFile: join(folder.path, "openclaw.json"),
        environment: {},
      });
    const stored = await open();
    const changes = [{ path: ["agents", "defaults", "model"], value: "gone/model" }];
    await stored.methods.call("settings.set", { changes, source: "config set --db" });
    await stored.close();
    await expect(startTestGateway(folder)).rejects.toMatchObject({ code: "MODEL_NOT_FOUND" });
    const again = await open();
    await again.methods.call("settings.set", { changes: [{ path: ["agents"] }] });
    expect(await again.methods.call("settings.list", {})).toEqual({ settings: [] });
    await again.close();
    await start(folder);
  });
});

describe("bootstrap file of an older host", () => {
  it("[HOST-010] is taken over once into the database, except keys that are set", async () => {
    const folder = folderWith({
      "openclaw.json": "{ tools: { profile: 'full' } }",
      "state/bootstrap.json": JSON.stringify({
        llm_backend: "demo",
        selected_model: "echo",
        onboard_completed: true,
        tools: { profile: "minimal", deny: ["write"] },
        store: { url: "file:other.db" },
      }),
    });
    const gateway = await start(folder);
    const file = join(folder.path, "state/bootstrap.json");
    expect(existsSync(file)).toBe(false);
    expect(existsSync(`${file}.taken-over`)).toBe(true);
    const { settings } = await (await gateway.methods()).call("settings.list", {});
    expect(settings.map(({ path, value, source }) => [path.join("."), value, source])).toEqual([
      ["agents.defaults.model", "demo/echo", "bootstrap.json"],
      ["tools.deny", ["write"], "bootstrap.json"],
    ]);
    expect(await allowed(gateway, "write")).toBe(false);
    const log = readFileSync(gateway.state.logFile, "utf8");
    expect(log).toContain("onboard_completed (not a key of the configuration)");
    expect(log).toContain("tools.profile (already set)");
    expect(log).toContain("store.url (cannot be stored in the database");
  });

  it.skipIf(!canBindMount())(
    "[GW-222] that is mounted alone stays, and is taken over once for each content",
    async () => {
      const folder = folderWith({
        source: JSON.stringify({ llm_backend: "demo", selected_model: "echo" }),
        "state/bootstrap.json": "",
      });
      const [source, file] = ["source", "state/bootstrap.json"].map((name) =>
        join(folder.path, name),
      );
      if (source === undefined || file === undefined) throw new Error("unreachable");
      using _mount = bindMount(source, file, { isReadOnly: true });
      const first = await startTestGateway(folder);
      expect(readFileSync(`${file}.taken-over`, "utf8")).toBe(readFileSync(source, "utf8"));
      await set(first, { path: ["agents", "defaults", "model"] });
      await first.stop("command");
      const again = await startTestGateway(folder);
      expect(await (await again.methods()).call("settings.list", {})).toEqual({ settings: [] });
      expect(existsSync(file)).toBe(true);
      await again.stop("command");
    },
  );

  it("[HOST-010] that is not JSON is left as it is, and reported", async () => {
    const folder = folderWith({ "state/bootstrap.json": "{ half" });
    const gateway = await start(folder);
    expect(existsSync(join(folder.path, "state/bootstrap.json"))).toBe(true);
    expect(readFileSync(gateway.state.logFile, "utf8")).toContain("bootstrap.json is not read");
  });
});
