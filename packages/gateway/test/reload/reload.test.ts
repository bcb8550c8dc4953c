import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import { loadConfiguration } from "@openclaw/configuration";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GatewayOptions } from "../../src/gateway-options.js";
import { findLastGood } from "../../src/reload/last-good.js";
import type { Gateway } from "../../src/running-gateway.js";
import { loadGatewayToken } from "../../src/state/token.js";
import { startTestGateway } from "../support/gateway.js";

async function start(
  configuration: string,
  options: Partial<GatewayOptions> = {},
): Promise<{ gateway: Gateway; folder: TemporaryFolder; file: string }> {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "openclaw.json": configuration });
  const gateway = await startTestGateway(folder, { port: 0, ...options });
  onTestFinished(() => gateway.stop("command"));
  return { gateway, folder, file: join(folder.path, "openclaw.json") };
}

async function explain(gateway: Gateway, tool: string) {
  return (await gateway.methods()).call("policy.explain", { tool });
}

async function configurationCheck({ url = "", state }: Gateway) {
  const client = createGatewayClient({ url, token: loadGatewayToken(state.tokenFile) });
  const { checks } = await client.readiness();
  return checks.find(({ name }) => name === "configuration");
}

describe("reload of the configuration", () => {
  it("[GW-006] [HOST-013] applies hot keys, lists keys that need a restart, and does not apply them halfway", async () => {
    const { gateway, file } = await start("{}");
    expect((await explain(gateway, "read")).allowed).toBe(true);
    writeFileSync(
      file,
      "{ gateway: { enabled: true }, store: { durability: 'process' }, tools: { deny: ['read'] } }",
    );
    expect(await gateway.reloadConfiguration()).toEqual({
      outcome: "applied",
      applied: ["tools.deny"],
      plugins: [],
      pending: ["gateway.enabled", "store.durability"],
      failures: [],
    });
    expect((await explain(gateway, "read")).allowed).toBe(false);
    expect(await configurationCheck(gateway)).toMatchObject({
      ok: false,
      detail: "a restart applies gateway.enabled, store.durability",
    });
    writeFileSync(file, "{ tools: { deny: ['read'] } }");
    expect(await gateway.reloadConfiguration()).toMatchObject({ outcome: "applied", pending: [] });
    expect(await configurationCheck(gateway)).toMatchObject({ ok: true });
    expect(await gateway.reloadConfiguration()).toMatchObject({ outcome: "unchanged" });
  });

  it("[GW-006] [POL-038] keeps the last good configuration while the file is invalid, and reports it", async () => {
    const { gateway, file, folder } = await start("{ tools: { deny: ['read'] } }");
    writeFileSync(file, "{ tools: { deny: 'read' ");
    const { outcome, problem } = await gateway.reloadConfiguration();
    expect(outcome).toBe("invalid");
    expect(problem).toContain(`${file}:1:`);
    writeFileSync(file, "{ tools: { profile: 'codign' } }");
    expect(await gateway.reloadConfiguration()).toMatchObject({
      outcome: "invalid",
      problem: expect.stringContaining("tools.profile"),
    });
    expect((await explain(gateway, "read")).allowed).toBe(false);
    expect(await configurationCheck(gateway)).toMatchObject({
      ok: false,
      detail: expect.stringContaining("the last good configuration is in force"),
    });
    const log = readFileSync(join(folder.path, "state/logs/gateway.log"), "utf8");
    expect(log).toContain("the last good configuration stays in force");
    writeFileSync(file, "{}");
    expect(await gateway.reloadConfiguration()).toMatchObject({ outcome: "applied" });
    expect((await explain(gateway, "read")).allowed).toBe(true);
    expect(await configurationCheck(gateway)).toMatchObject({ ok: true });
  });

  it("[GW-006] reloads only the plugin whose entry changed, with its new configuration", async () => {
    const seen: string[] = [];
    const plugin = (id: string): PluginDefinition => ({
      id,
      register: (api) => void seen.push(`${id}:${String(api.pluginConfig?.size)}`),
    });
    const { gateway, file } = await start(
      "{ plugins: { entries: { a: { config: { size: 1 } } } } }",
      {
        inlinePlugins: [plugin("a"), plugin("b")],
      },
    );
    writeFileSync(file, "{ plugins: { entries: { a: { config: { size: 2 } } } } }");
    expect(await gateway.reloadConfiguration()).toMatchObject({
      outcome: "applied",
      plugins: ["a"],
    });
    expect(seen).toEqual(["a:1", "b:undefined", "a:2"]);
  });

  it("[GW-440] names a plugin that kept its earlier configuration, also to a command that asks later", async () => {
    const picky: PluginDefinition = {
      id: "picky",
      register(api) {
        if (api.pluginConfig?.size === 0) throw new Error("the size must not be 0");
      },
    };
    const entry = (size: number) =>
      JSON.stringify({ plugins: { entries: { picky: { config: { size } } } } });
    const { gateway, file } = await start(entry(1), { inlinePlugins: [picky] });
    writeFileSync(file, entry(0));
    const { document } = await loadConfiguration(file);
    const reload = await gateway.reloadConfiguration();
    expect(reload.failures).toMatchObject([
      { plugin: "picky", message: expect.stringContaining("the size must not be 0") },
    ]);
    const methods = await gateway.methods();
    const { hash = "" } = document ?? {};
    expect(await methods.call("config.reload", { hash })).toMatchObject({
      applied: ["plugins.entries.picky.config.size"],
      reloaded: ["picky"],
      failures: [{ plugin: "picky" }],
    });
    writeFileSync(file, entry(2));
    const { hash: next = "" } = (await loadConfiguration(file)).document ?? {};
    expect(await methods.call("config.reload", { hash: next })).toMatchObject({
      reloaded: ["picky"],
      failures: [],
    });
  });

  it("[GW-006] connects only the channel again whose section changed, with its new settings", async () => {
    const seen: string[] = [];
    const channels: PluginDefinition = {
      id: "channels",
      register(api) {
        for (const name of ["near", "far"]) {
          api.registerChannel({
            name,
            async *start({ signal, connected, config }) {
              seen.push(`${name}:${JSON.stringify(config)}`);
              connected();
              await new Promise((resolve) => signal.addEventListener("abort", resolve));
              seen.push(`${name} ended`);
            },
            respond: async () => ({}),
          });
        }
      },
    };
    const { gateway, file } = await start("{ channels: { near: { room: 1 }, far: {} } }", {
      inlinePlugins: [channels],
    });
    await expect.poll(() => seen).toHaveLength(2);
    writeFileSync(file, "{ channels: { near: { room: 2 }, far: {} } }");
    expect(await gateway.reloadConfiguration()).toMatchObject({
      outcome: "applied",
      applied: ["channels.near.room"],
      pending: [],
    });
    await expect.poll(() => seen.slice(2)).toEqual(["near ended", 'near:{"room":2}']);
  });

  it("[PLUG-112] follows the reload rules of plugins", async () => {
    const seen: string[] = [];
    const ruled: PluginDefinition = {
      id: "ruled",
      register(api) {
        seen.push(`ruled:${String(api.pluginConfig?.size)}`);
        api.registerReload({
          hotPrefixes: ["tools.deny", "plugins.entries.ruled.config.shape.depth"],
          restartPrefixes: ["plugins.entries.ruled.config.port", "tools.default"],
          noopPrefixes: ["plugins.entries.ruled", "plugins.entries.other.config"],
        });
      },
    };
    const other: PluginDefinition = { id: "other", register: () => void seen.push("other") };
    const { gateway, file } = await start("{}", { inlinePlugins: [ruled, other] });
    const entry = (config: string, more = "") =>
      `{ plugins: { entries: { ruled: { config: ${config} }, other: { config: {} } } } ${more} }`;
    const change = (text: string) => {
      writeFileSync(file, text);
      return gateway.reloadConfiguration();
    };
    await change(entry("{ size: 1, port: 1, shape: { depth: 1, width: 1 } }"));
    seen.length = 0;
    expect(
      await change(entry("{ size: 2, port: 1, shape: { depth: 1, width: 2 } }")),
    ).toMatchObject({
      outcome: "applied",
      plugins: [],
      pending: ["plugins.entries.ruled.config.port"],
    });
    expect(await change(entry("{ size: 2, shape: { depth: 2, width: 2 } }"))).toMatchObject({
      plugins: ["ruled"],
      pending: [],
    });
    expect(
      await change(
        entry("{ size: 2, shape: { depth: 2, width: 2 } }", ", tools: { deny: ['read'] }"),
      ),
    ).toMatchObject({ applied: ["tools.deny"], plugins: ["ruled"] });
    expect(seen).toEqual(["ruled:2", "ruled:2"]);
    const strange =
      "{ plugins: { entries: { other: { config: { a: 1 } } } }, tools: { deny: ['read'] } }";
    expect(await change(strange)).toMatchObject({ plugins: expect.arrayContaining(["other"]) });
  });

  it("[GW-006] notices a file that an editor replaces by renaming, and an included file", async () => {
    const { gateway, file, folder } = await start("{}");
    folder.write({
      "openclaw.json.new": "{ $include: 'tools.json5' }",
      "tools.json5": "{ tools: { deny: ['read'] } }",
    });
    renameSync(join(folder.path, "openclaw.json.new"), file);
    await expect
      .poll(async () => (await explain(gateway, "read")).allowed, { timeout: 5000 })
      .toBe(false);
    folder.write({ "next.json5": "{ tools: { deny: ['write'] } }" });
    renameSync(join(folder.path, "next.json5"), join(folder.path, "tools.json5"));
    await expect
      .poll(async () => (await explain(gateway, "read")).allowed, { timeout: 5000 })
      .toBe(true);
    expect((await explain(gateway, "write")).allowed).toBe(false);
  });

  it("[GW-006] [HOST-013] config.set applies as a change of the file does, once", async () => {
    const seen: string[] = [];
    const { gateway, file } = await start("{ tools: { deny: ['write'] } }", {
      inlinePlugins: [
        { id: "a", register: (api) => void seen.push(String(api.pluginConfig?.size)) },
      ],
    });
    const events: unknown[] = [];
    gateway.onEvent(({ event, payload }) => {
      if (event.startsWith("config.")) events.push(payload);
    });
    const methods = await gateway.methods();
    const { baseHash } = await methods.call("config.get", {});
    const changed = await methods.call("config.set", {
      baseHash,
      changes: [
        { path: ["tools", "deny"], value: ["read"] },
        { path: ["plugins", "entries", "a", "config"], value: { size: 2 } },
        { path: ["store", "durability"], value: "process" },
      ],
    });
    const outcome = {
      applied: ["tools.deny", "plugins.entries.a.config.size"],
      pending: ["store.durability"],
    };
    expect(changed).toMatchObject({ ...outcome, reloaded: ["a"] });
    expect((await explain(gateway, "read")).allowed).toBe(false);
    expect((await explain(gateway, "write")).allowed).toBe(true);
    expect(readFileSync(file, "utf8")).toMatch(/deny: \[\s*"read"\s*\]/);
    expect(await gateway.reloadConfiguration()).toMatchObject({ outcome: "unchanged" });
    expect(seen).toEqual(["undefined", "2"]);
    expect(events).toEqual([expect.objectContaining({ pending: ["store.durability"] })]);
    const status = await methods.call("host.status", {});
    expect(status.configuration).toMatchObject({ files: [file], pending: ["store.durability"] });
  });

  it("[GW-661] config.set takes back a change that cannot be applied", async () => {
    const { gateway, file } = await start("{}", { inlinePlugins: [{ id: "a", register() {} }] });
    const methods = await gateway.methods();
    const { baseHash } = await methods.call("config.get", {});
    const value = { token: "${secret:GONE}" };
    const changes = [{ path: ["plugins", "entries", "a", "config"], value }];
    await expect(methods.call("config.set", { baseHash, changes })).rejects.toMatchObject({
      code: "CONFIG_REJECTED",
      message: expect.stringContaining("GONE"),
    });
    expect(readFileSync(file, "utf8")).toBe("{}");
    expect(await configurationCheck(gateway)).toMatchObject({ ok: true });
  });

  it("keeps a change of a plugin by a method in force, and does not reload the plugin again", async () => {
    const registered: string[] = [];
    const { gateway } = await start("{}", {
      inlinePlugins: [{ id: "a", register: () => void registered.push("a") }],
    });
    await (await gateway.methods()).call("plugins.disable", { id: "a" });
    await (await gateway.methods()).call("plugins.enable", { id: "a" });
    expect(registered).toHaveLength(2);
    expect(await gateway.reloadConfiguration()).toMatchObject({ plugins: [] });
    expect(registered).toHaveLength(2);
  });
});

describe("last good configuration", () => {
  it("keeps the files of the start and of each reload with mode 0600, also included ones", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    folder.write({ "parts/log.json5": "{ level: '${LEVEL}' }" });
    folder.write({ "openclaw.json": "{ logging: { $include: 'parts/log.json5' } }" });
    const file = join(folder.path, "openclaw.json");
    const environment = { LEVEL: "warn" };
    const gateway = await startTestGateway(folder, {
      environment,
      configuration: await loadConfiguration(file, { environment }),
    });
    onTestFinished(() => gateway.stop("command"));
    const kept = findLastGood(gateway.state, file);
    expect(kept?.folder).toBe(join(gateway.state.dir, "last-good-config"));
    const copy = join(kept?.folder ?? "", "parts/log.json5");
    expect(readFileSync(copy, "utf8")).toBe("{ level: '${LEVEL}' }");
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const loaded = await loadConfiguration(kept?.file ?? "", { environment });
    expect(loaded.value).toEqual({ logging: { level: "warn" } });

    folder.write({ "openclaw.json": "{ logging: " });
    await gateway.reloadConfiguration();
    expect(readFileSync(kept?.file ?? "", "utf8")).toContain("parts/log.json5");
    folder.write({ "openclaw.json": "{}" });
    await gateway.reloadConfiguration();
    expect(readFileSync(kept?.file ?? "", "utf8")).toBe("{}");
    expect(existsSync(copy)).toBe(false);
  });

  it("[GW-006] takes up the file when it is valid again after a start with the last good configuration", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    folder.write({
      "openclaw.json": "{ broken",
      "state/last/openclaw.json": "{ tools: { deny: ['read'] } }",
    });
    const gateway = await startTestGateway(folder, {
      port: 0,
      configuration: await loadConfiguration(join(folder.path, "state/last/openclaw.json")),
      lastGoodInsteadOf: "openclaw.json:1:3 is broken",
    });
    onTestFinished(() => gateway.stop("command"));
    expect(await configurationCheck(gateway)).toMatchObject({
      ok: false,
      detail: "the last good configuration is in force: openclaw.json:1:3 is broken",
    });
    expect(findLastGood(gateway.state, join(folder.path, "openclaw.json"))).toBeUndefined();
    folder.write({ "openclaw.json": "{ tools: { deny: ['write'] } }" });
    expect(await gateway.reloadConfiguration()).toMatchObject({ applied: ["tools.deny"] });
    expect(await configurationCheck(gateway)).toMatchObject({ ok: true });
    expect(findLastGood(gateway.state, join(folder.path, "openclaw.json"))).toBeDefined();
  });
});
