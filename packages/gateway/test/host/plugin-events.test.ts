import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { METHOD_SCOPES, type MethodScope } from "@openclaw/protocol";
import { EventHub, EventLog } from "@openclaw/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHost } from "../../src/host/host.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { gate, openTestStore } from "../support/host.js";

/** Opens a host with a plugin `guard` and two clients, of which one may only read. */
async function host(register: (api: OpenClawPluginApi) => void) {
  const hub = new EventHub(new EventLog(Date.now));
  const store = await openTestStore();
  const opened = await openHost({
    version: "1.0.0",
    configuration: { value: {}, file: undefined, warnings: [], locate: () => undefined },
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    inlinePlugins: [{ id: "guard", register }],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store,
    events: hub,
  });
  onTestFinished(() => opened.close("command"));
  const client = (scopes: readonly MethodScope[]) => {
    const received: [name: string, payload: unknown, durable: boolean][] = [];
    hub.subscribe({
      caller: { scopes },
      wants: () => true,
      send: ({ name, json, cursor }) =>
        void received.push([name, JSON.parse(json), cursor !== undefined]),
    });
    return received;
  };
  return { host: opened, admin: client(METHOD_SCOPES), reader: client(["operator.read"]) };
}

describe("events of plugins", () => {
  it("[GW-030] reach the clients with the scope as plugin.<id>.<event>, from the api and from services", async () => {
    const ready = gate<OpenClawPluginApi>();
    const started = gate();
    const {
      host: running,
      admin,
      reader,
    } = await host((api) => {
      ready.pass(api);
      api.registerService({
        id: "watch",
        start({ gatewayEvents }) {
          gatewayEvents.emit("started");
          started.pass();
        },
      });
    });
    await running.serve(0);
    await started.passed;
    const { gatewayEvents } = await ready.passed;
    const payload = { count: 1 };
    gatewayEvents.emit("call.ended", payload);
    payload.count = 2;
    gatewayEvents.emit("secret", "for administrators", { scope: "operator.admin" });
    const forReaders = [
      ["plugin.guard.started", null, true],
      ["plugin.guard.call.ended", { count: 1 }, true],
    ];
    expect(reader).toEqual(forReaders);
    expect(admin).toEqual([...forReaders, ["plugin.guard.secret", "for administrators", true]]);
  });

  it("[GW-030] are rejected with another name, scope or size, and after the plugin was unloaded", async () => {
    const ready = gate<OpenClawPluginApi>();
    const { host: running, admin } = await host((api) => ready.pass(api));
    const { gatewayEvents } = await ready.passed;
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const [event, payload, scope] of [
      ["", 1, undefined],
      ["a b", 1, undefined],
      ["a".repeat(65), 1, undefined],
      ["a", 1n, undefined],
      ["a", cycle, undefined],
      ["a", "x".repeat(64 * 1024), undefined],
      ["a", 1, "operator.everything"],
    ] as const) {
      const options = { scope: scope as MethodScope };
      const emit = () => gatewayEvents.emit(event, payload, scope === undefined ? {} : options);
      expect(emit).toThrow(/gatewayEvents\.emit/);
    }
    gatewayEvents.emit("a", "x".repeat(64 * 1024 - 2));
    expect(admin).toHaveLength(1);
    const config = { plugins: { entries: { guard: { enabled: false } } } };
    await (await running.plugins.reload("guard", { config })).retired;
    expect(() => gatewayEvents.emit("late")).toThrow(/disposed|unloaded/);
    expect(admin.map(([name]) => name)).toEqual(["plugin.guard.a", "plugins.changed"]);
  });
});

describe("plugins.changed", () => {
  it("[PLUG-050] is sent to clients when a new generation is active", async () => {
    const { host: running, reader } = await host(() => {});
    const { generation } = await running.plugins.reload("guard");
    expect(reader).toEqual([["plugins.changed", { generation: generation.number }, true]]);
    expect(running.plugins.current.number).toBe(generation.number);
  });
});
