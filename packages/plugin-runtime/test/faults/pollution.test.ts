import { EventEmitter } from "node:events";
import fs from "node:fs";
import {
  builtInsWatch,
  type PluginFault,
  PluginFaults,
  watchTimers,
} from "@openclaw/plugin-loader";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { PluginRuntime } from "../../src/index.js";
import { deferred } from "../support/deferred.js";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin, type TestHost } from "../support/host.js";

const ENDED = { messages: [], success: true, durationMs: 1 } as const;
const CONTEXT = { callDepth: 0, agentId: "main", sessionKey: "agent:main:x" } as const;

/** A host that receives the faults of its plugins, and the lines logged about them. */
function hostWith(
  plugins: Readonly<Record<string, (api: OpenClawPluginApi) => unknown>>,
  logged: string[] = [],
): TestHost & { readonly faults: readonly PluginFault[] } {
  const faults: PluginFault[] = [];
  const inline = Object.entries(plugins).map(([id, register]) =>
    plugin(async (api) => void (await register(api)), id),
  );
  const host = createTestHost(inline, {}, { faults: receiver(faults, logged) });
  return { ...host, faults };
}

function receiver(faults: PluginFault[], logged: string[]): PluginFaults {
  const ignore = () => undefined;
  const error = (line: string) => void logged.push(line);
  const logger = { debug: ignore, info: ignore, warn: ignore, error };
  return new PluginFaults({ logger, onFault: (fault) => faults.push(fault) });
}

function statuses(runtime: PluginRuntime): Record<string, string> {
  return Object.fromEntries(runtime.current.plugins.map(({ id, status }) => [id, status]));
}

/** Members that the plugins below change. */
const CHANGED: readonly (readonly [object, PropertyKey])[] = [
  [Object.prototype, "polluted"],
  [Object.prototype, "hidden"],
  [Array.prototype, "map"],
  [JSON, "parse"],
  [Object, "assign"],
  [Promise, "any"],
  [globalThis, "JSON"],
  [Error.prototype, "name"],
  [Map.prototype, "size"],
];
const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
const { setPrototypeOf } = Object;

function changedMembers(): readonly (PropertyDescriptor | undefined)[] {
  const found: (PropertyDescriptor | undefined)[] = [];
  for (const [object, key] of CHANGED) found.push(getOwnPropertyDescriptor(object, key));
  return found;
}

const ORIGINAL = changedMembers();

/** Lets a test that fails be reported, for which the test runner needs the language. */
function restoreAll(): void {
  setPrototypeOf(Array.prototype, Object.prototype);
  for (const [index, [object, key]] of CHANGED.entries()) {
    const descriptor = ORIGINAL[index];
    if (descriptor === undefined) deleteProperty(object, key);
    else defineProperty(object, key, descriptor);
  }
}

describe("plugin that changes built-in objects", () => {
  const changes: readonly [string, string][] = [
    ["Object.prototype.polluted was added", "Object.prototype.polluted = true;"],
    [
      "Object.prototype.hidden was added",
      "Object.defineProperty(Object.prototype, 'hidden', { value: 1, configurable: true });",
    ],
    ["Array.prototype.map was replaced", "Array.prototype.map = () => [];"],
    ["JSON.parse was replaced", "JSON.parse = () => ({});"],
    ["Object.assign was removed", "delete Object.assign;"],
    ["Promise.any was replaced", "Promise.any = () => 1;"],
    ["globalThis.JSON was replaced", "globalThis.JSON = {};"],
    ["Map.prototype[Symbol(x)] was added", "Map.prototype[Symbol('x')] = 1;"],
    [
      "the prototype of Array.prototype was replaced",
      "Object.setPrototypeOf(Array.prototype, Object.create(Object.prototype));",
    ],
    ["Error.prototype.name was replaced", "Error.prototype.name = 'Mine';"],
    [
      "Map.prototype.size was replaced",
      "Object.defineProperty(Map.prototype, 'size', { get: () => 0, configurable: true });",
    ],
    [
      "the prototype of generators.more was added",
      "Object.getPrototypeOf((function* () {}).prototype).more = 1;",
    ],
  ];

  it.each(changes)("[PLUG-070] fails to load: %s", async (change, code) => {
    const host = createFileHost([
      { id: "first", register: () => undefined },
      { id: "polluter", code, register: () => undefined },
      { id: "third", register: () => undefined },
    ]);
    let left: readonly (PropertyDescriptor | undefined)[];
    let parent: unknown;
    try {
      await host.runtime.load();
    } finally {
      left = changedMembers();
      parent = Object.getPrototypeOf(Array.prototype);
      restoreAll();
    }
    expect(left).toEqual(ORIGINAL);
    expect(parent).toBe(Object.prototype);
    expect(statuses(host.runtime)).toEqual({ first: "loaded", polluter: "error", third: "loaded" });
    expect(host.runtime.current.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "built-ins-changed",
        pluginId: "polluter",
        message: expect.stringContaining(change),
      }),
    );
    await host.runtime.dispose();
  });

  it("[PLUG-070] fails to load when its register changes them, also after an await", async () => {
    const host = hostWith({
      first: () => undefined,
      polluter: async () => {
        await Promise.resolve();
        Reflect.set(Object.prototype, "polluted", true);
      },
      third: () => undefined,
    });
    await host.runtime.load();
    expect(statuses(host.runtime)).toEqual({ first: "loaded", polluter: "error", third: "loaded" });
    expect(host.faults).toEqual([]);
    await host.runtime.dispose();
  });

  it("[PLUG-070] loads with new statics, as polyfills add them, and with stack settings", async () => {
    const code =
      "Object.groupByTwo = () => 2; Reflect.defineMetadata = () => {}; Error.stackTraceLimit = 20;";
    const host = createFileHost([{ id: "polyfill", code, register: () => undefined }]);
    await host.runtime.load();
    expect(statuses(host.runtime)).toEqual({ polyfill: "loaded" });
    Reflect.deleteProperty(Object, "groupByTwo");
    Reflect.deleteProperty(Reflect, "defineMetadata");
    Error.stackTraceLimit = 10;
    await host.runtime.dispose();
  });

  it("[PLUG-070] fails to load when it freezes a built-in object, which cannot be undone and is reported once", async () => {
    const host = createFileHost([
      { id: "freezer", code: "Object.freeze(WeakRef.prototype);", register: () => undefined },
      { id: "next", register: () => undefined },
    ]);
    const { diagnostics } = await host.runtime.load();
    expect(statuses(host.runtime)).toEqual({ freezer: "error", next: "loaded" });
    const message = expect.stringContaining("WeakRef.prototype was frozen, which cannot be undone");
    expect(diagnostics).toMatchObject([{ pluginId: "freezer", message }]);
    await host.runtime.dispose();
  });

  it("[PLUG-070] gets a fault for each handler and service that changes them", async () => {
    const host = hostWith({
      sound: (api) => api.on("agent_end", () => undefined),
      handler: (api) => api.on("agent_end", () => void Reflect.set(Object.prototype, "one", 1)),
      service: (api) =>
        api.registerService({
          id: "polluting",
          start: () => void Reflect.set(Array.prototype, "map", () => []),
        }),
    });
    const { runtime, faults } = host;
    await runtime.load();
    await runtime.start({
      event: { port: 0, host: "127.0.0.1", generation: 1 },
      context: { ...CONTEXT, port: 0, abortSignal: new AbortController().signal } as never,
    });
    expect(faults.map(({ pluginId, kind }) => [pluginId, kind])).toEqual([
      ["service", "pollution"],
    ]);
    await runtime.hooks.observe("agent_end", ENDED as never, CONTEXT as never);
    expect(faults.map(({ pluginId }) => pluginId)).toEqual(["service", "handler"]);
    expect(faults[1]?.error).toMatchObject({
      code: "PLUGIN_BUILT_INS_CHANGED",
      changes: ["Object.prototype.one was added"],
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect([1].map((value) => value)).toEqual([1]);
    await runtime.dispose();
  });

  it("[PLUG-070] gets a fault for a tool that changes them; unknown changes list the suspects", async () => {
    const logged: string[] = [];
    const faults: PluginFault[] = [];
    const ignore = () => undefined;
    const logger = {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (line: string) => logged.push(line),
    };
    const received = new PluginFaults({ logger, onFault: (fault) => faults.push(fault) });
    const { runtime } = createTestHost([plugin(ignore, "owner")], {}, { faults: received });
    await runtime.load();
    const result = runtime.callPlugin("owner", () => Reflect.set(String.prototype, "trim", ignore));
    expect(result).toBe(true);
    expect(faults.map(({ pluginId, kind }) => [pluginId, kind])).toEqual([["owner", "pollution"]]);
    expect(" x ".trim()).toBe("x");
    // Runs outside any call, as a timer does.
    Reflect.set(Object.prototype, "fromTimer", 1);
    runtime.callPlugin("owner", ignore);
    expect(Reflect.get({}, "fromTimer")).toBeUndefined();
    expect(faults).toHaveLength(1);
    expect(logged).toEqual([
      expect.stringMatching(/such as a timer of "owner".*fromTimer was added/),
    ]);
    await runtime.dispose();
  });

  it("[PLUG-070] is not blamed for a timer of another plugin while its own call waits", async () => {
    const release = deferred();
    const polluted = deferred();
    const logged: string[] = [];
    const host = hostWith(
      {
        bad: (api) =>
          api.on("agent_end", () => {
            setTimeout(() => {
              Reflect.set(Object.prototype, "fromTimer", 1);
              polluted.resolve();
            }, 0);
          }),
        good: (api) => api.on("agent_end", () => release.promise),
        third: () => undefined,
      },
      logged,
    );
    const { runtime, faults } = host;
    await runtime.load();
    const ended = runtime.hooks.observe("agent_end", ENDED as never, CONTEXT as never);
    await polluted.promise;
    runtime.callPlugin("third", () => undefined);
    release.resolve();
    await ended;
    expect(Reflect.get({}, "fromTimer")).toBeUndefined();
    expect(faults).toEqual([]);
    expect(logged).toEqual([
      expect.stringMatching(
        /had not settled \("good"\).*such as a timer of "bad", "good", "third"/,
      ),
    ]);
    await runtime.dispose();
  });

  it("[PLUG-070] is undone after an await of a handler, and names the plugin as a possible one", async () => {
    const logged: string[] = [];
    const late = (api: OpenClawPluginApi) =>
      api.on("agent_end", async () => {
        await Promise.resolve();
        Reflect.set(Object.prototype, "afterAwait", 1);
      });
    const { runtime, faults } = hostWith({ late }, logged);
    await runtime.load();
    await runtime.hooks.observe("agent_end", ENDED as never, CONTEXT as never);
    expect(Reflect.get({}, "afterAwait")).toBeUndefined();
    expect(faults).toEqual([]);
    expect(logged).toEqual([expect.stringMatching(/"late".*afterAwait was added/)]);
    await runtime.dispose();
  });

  it("[PLUG-070] that is older than an import or a register does not fail them", async () => {
    const hide = (name: string) =>
      Object.defineProperty(Object.prototype, name, { value: 1, configurable: true });
    const before = hostWith({ earlier: () => undefined });
    await before.runtime.load();
    hide("beforeImport");
    const imported = createFileHost([{ id: "imported", register: () => undefined }]);
    await imported.runtime.load();
    expect(statuses(imported.runtime)).toEqual({ imported: "loaded" });
    hide("beforeRegister");
    const registered = hostWith({ registered: () => undefined });
    await registered.runtime.load();
    expect(statuses(registered.runtime)).toEqual({ registered: "loaded" });
    expect(Reflect.get({}, "beforeImport")).toBeUndefined();
    expect(Reflect.get({}, "beforeRegister")).toBeUndefined();
    for (const { runtime } of [before, imported, registered]) await runtime.dispose();
  });

  it("[PLUG-070] is undone without being called when it is an accessor", async () => {
    const { runtime, faults } = hostWith({ owner: () => undefined });
    await runtime.load();
    const { parse } = JSON;
    const { Map: map } = globalThis;
    let called = 0;
    const get = () => {
      called += 1;
      throw new Error("not yours");
    };
    runtime.callPlugin("owner", () => {
      Object.defineProperty(JSON, "parse", { get, configurable: true });
      Object.defineProperty(globalThis, "Map", { get, configurable: true });
    });
    expect([JSON.parse, globalThis.Map]).toEqual([parse, map]);
    expect(called).toBe(0);
    expect(faults.map(({ error }) => Reflect.get(error, "changes"))).toEqual([
      ["JSON.parse was replaced", "globalThis.Map was replaced"],
    ]);
    // The accessor calls the original, which reading alone would not tell.
    runtime.callPlugin("owner", () =>
      Object.defineProperty(JSON, "parse", { get: () => parse, configurable: true }),
    );
    expect(Object.getOwnPropertyDescriptor(JSON, "parse")?.value).toBe(parse);
    expect(faults).toHaveLength(2);
    await runtime.dispose();
  });

  it("[PLUG-070] is undone when it adds a field of property descriptors to all objects", () => {
    const faults: PluginFault[] = [];
    const original = Object.prototype.toLocaleString;
    receiver(faults, [])
      .scope("owner")
      .run(() => {
        Object.prototype.toLocaleString = () => "mine";
        Reflect.set(Object.prototype, "get", () => 1);
      });
    expect(Object.prototype.toLocaleString).toBe(original);
    expect(faults.map(({ error }) => Reflect.get(error, "changes"))).toEqual([
      ["Object.prototype.toLocaleString was replaced", "Object.prototype.get was added"],
    ]);
  });

  it("[PLUG-070] is undone when it puts a proxy into the prototypes, none of whose traps runs in a comparison", () => {
    const faults: PluginFault[] = [];
    const traps: string[] = [];
    const ran = (trap: string) => () => {
      traps.push(trap);
      return [];
    };
    const elements = Object.getPrototypeOf(Uint8Array.prototype);
    try {
      receiver(faults, [])
        .scope("owner")
        .run(() => {
          const proxy = new Proxy({}, { ownKeys: ran("ownKeys"), getPrototypeOf: () => null });
          Object.setPrototypeOf(elements, proxy);
        });
      expect(Object.getPrototypeOf(elements)).toBe(Object.prototype);
    } finally {
      Object.setPrototypeOf(elements, Object.prototype);
    }
    expect(faults.map(({ error }) => Reflect.get(error, "changes"))).toEqual([
      ["the prototype of the prototype of typed arrays was replaced"],
    ]);
    expect(traps).toEqual([]);
  });

  it("[PLUG-070] is blamed for what it certainly did when nothing was compared completely before its call", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const logged: string[] = [];
    const faults: PluginFault[] = [];
    const received = receiver(faults, logged);
    const hide = (name: string) =>
      Object.defineProperty(Object.prototype, name, { value: 1, configurable: true });
    // The time after which calls are sampled again, and one complete comparison at that time.
    vi.advanceTimersByTime(11 * 60_000);
    received.scope("sampled").run(() => undefined, "sampled");
    received.scope("outer").run(() => received.scope("inner").run(() => hide("inside"), "sampled"));
    expect(faults.map(({ pluginId }) => pluginId)).toEqual(["inner"]);
    hide("older");
    received.scope("sampled").run(() => Reflect.set(Object.prototype, "own", 1), "sampled");
    expect(
      faults.slice(1).map(({ error }) => [error.message, Reflect.get(error, "changes")]),
    ).toEqual([[expect.stringContaining('"sampled"'), ["Object.prototype.own was added"]]]);
    expect(logged).toEqual([expect.stringMatching(/: Object\.prototype\.older was added$/)]);
  });

  it.each(["before", "after"])(
    "[PLUG-070] does not fail to load when another plugin was called %s it began",
    async (order) => {
      const logged: string[] = [];
      const received = receiver([], logged);
      const waits = deferred();
      const other = received.scope("other");
      onTestFinished(() => other.abandon());
      const callOther = () => void other.run(() => new Promise(() => {}));
      if (order === "before") callOther();
      const loading = received.scope("loading").load("register", () => waits.promise);
      if (order === "after") callOther();
      Reflect.set(Object.prototype, "fromTimer", 1);
      waits.resolve();
      await loading;
      expect(Reflect.get({}, "fromTimer")).toBeUndefined();
      expect(logged).toEqual([expect.stringMatching(/"loading".*fromTimer was added/)]);
    },
  );
});

describe("calls of plugins that overlap", () => {
  afterEach(() => vi.useRealTimers());

  /** Plugins of one host, with what the host was told. */
  function overlapping() {
    const logged: string[] = [];
    const faults: PluginFault[] = [];
    const ignore = () => undefined;
    const error = (line: string) => void logged.push(line);
    const logger = { debug: ignore, info: ignore, warn: ignore, error };
    const plugins = new PluginFaults({ logger, onFault: (fault) => faults.push(fault) });
    const [waiting, polluting] = [plugins.scope("waiting"), plugins.scope("polluting")];
    onTestFinished(() => waiting.abandon());
    return {
      waiting,
      logged,
      blamed: () => faults.map(({ pluginId }) => pluginId),
      /** Changes a built-in object while other calls run. */
      async pollute() {
        await polluting.run(async () => {
          await Promise.resolve();
          Reflect.set(Object.prototype, "late", 1);
        });
        expect(Reflect.get({}, "late")).toBeUndefined();
      },
    };
  }

  it("[PLUG-070] are all suspected of a change after an await", async () => {
    const { waiting, logged, blamed, pollute } = overlapping();
    void waiting.run(() => new Promise(() => {}));
    await pollute();
    expect(blamed()).toEqual([]);
    expect(logged).toEqual([
      expect.stringContaining('whose call had not settled ("waiting", "polluting")'),
    ]);
  });

  it("[PLUG-070] are not suspected once the host gave them up", async () => {
    const { waiting, logged, blamed, pollute } = overlapping();
    void waiting.run(() => new Promise(() => {}));
    waiting.abandon();
    await pollute();
    expect(blamed()).toEqual([]);
    expect(logged).toEqual([expect.stringContaining('whose call had not settled ("polluting")')]);
  });

  it("[PLUG-070] are not suspected after ten seconds, in which they have only waited", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { waiting, logged, blamed, pollute } = overlapping();
    void waiting.run(() => new Promise(() => {}));
    vi.advanceTimersByTime(10_001);
    await pollute();
    expect(blamed()).toEqual([]);
    expect(logged).toEqual([expect.stringContaining('whose call had not settled ("polluting")')]);
  });

  it("[PLUG-070] are blamed for a change before they throw", () => {
    const { waiting, blamed } = overlapping();
    const failing = () =>
      waiting.run(() => {
        Reflect.set(Object.prototype, "thrown", 1);
        throw new Error("then it failed");
      });
    expect(failing).toThrow("then it failed");
    expect(blamed()).toEqual(["waiting"]);
    expect(Reflect.get({}, "thrown")).toBeUndefined();
  });
});

describe("the process of a gateway", () => {
  /** Members of the language and of Node that a gateway needs, each with the description of its change. */
  const NEEDED: readonly (readonly [description: string, object: object, key: string])[] = [
    ["Array.prototype.map was replaced", Array.prototype, "map"],
    ["Object.prototype.hasOwnProperty was replaced", Object.prototype, "hasOwnProperty"],
    ["String.prototype.split was replaced", String.prototype, "split"],
    ["Promise.prototype.then was replaced", Promise.prototype, "then"],
    ["Map.prototype.get was replaced", Map.prototype, "get"],
    ["JSON.parse was replaced", JSON, "parse"],
    ["JSON.stringify was replaced", JSON, "stringify"],
    ["Date.now was replaced", Date, "now"],
    ["Date.prototype.toISOString was replaced", Date.prototype, "toISOString"],
    ["globalThis.Date was replaced", globalThis, "Date"],
    ["globalThis.fetch was replaced", globalThis, "fetch"],
    ["globalThis.setTimeout was replaced", globalThis, "setTimeout"],
    ["globalThis.Response was replaced", globalThis, "Response"],
    ["URL.prototype.pathname was replaced", URL.prototype, "pathname"],
    ["Buffer.from was replaced", Buffer, "from"],
    ["Headers.prototype.get was replaced", Headers.prototype, "get"],
    ["AbortSignal.any was replaced", AbortSignal, "any"],
    ["TextDecoder.prototype.decode was replaced", TextDecoder.prototype, "decode"],
    ["process.exit was replaced", process, "exit"],
    ["process.nextTick was replaced", process, "nextTick"],
    ["process.on was replaced", process, "on"],
    ["process.removeAllListeners was replaced", process, "removeAllListeners"],
    ["EventEmitter.prototype.emit was replaced", EventEmitter.prototype, "emit"],
    ["fs.statSync was replaced", fs, "statSync"],
    ["process.stdout.write was replaced", process.stdout, "write"],
    ["process.stderr.write was replaced", process.stderr, "write"],
  ];

  it.each(NEEDED)(
    "[PLUG-420] restores between the calls of plugins: %s",
    (description, object, key) => {
      const logged: string[] = [];
      const end = builtInsWatch.watchProcess();
      onTestFinished(end);
      const before = getOwnPropertyDescriptor(object, key);
      const faults = receiver([], logged);
      builtInsWatch.check(faults);
      expect(logged).toEqual([]);
      defineProperty(object, key, { value: () => [], configurable: true, writable: true });
      const found = builtInsWatch.check(faults);
      expect(found).toBe(true);
      expect(getOwnPropertyDescriptor(object, key)).toEqual(before);
      expect(logged).toEqual([expect.stringContaining(description)]);
      expect(builtInsWatch.check(faults)).toBe(false);
    },
  );

  it.each([
    ["fs.readFileSync", "fs.readFileSync = () => { throw new Error('gone'); };"],
    ["fs.statSync", "fs.statSync = () => undefined; syncBuiltinESMExports();"],
    ["process.stdout.write", "process.stdout.write = () => true;"],
    ["process.stderr.write", "process.stderr.write = () => { throw new Error('gone'); };"],
  ])("[PLUG-420] names a plugin that replaces %s when it is loaded", async (name, code) => {
    const end = builtInsWatch.watchProcess();
    onTestFinished(end);
    const logged: string[] = [];
    const imports = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";`;
    const plugins = [
      { id: "first", register: () => undefined },
      { id: "polluter", code: `${imports} ${code}`, register: () => undefined },
      { id: "third", register: () => undefined },
    ];
    const host = createFileHost(plugins, {}, { faults: receiver([], logged) });
    const { readFileSync, statSync } = fs;
    await host.runtime.load();
    expect(statuses(host.runtime)).toEqual({ first: "loaded", polluter: "error", third: "loaded" });
    expect(host.runtime.current.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "built-ins-changed",
        pluginId: "polluter",
        message: expect.stringContaining(`${name} was replaced`),
      }),
    );
    // What the host itself replaces while it loads a plugin is no change of one.
    expect(logged).toEqual([]);
    expect([fs.readFileSync, fs.statSync]).toEqual([readFileSync, statSync]);
    expect((await import("node:fs")).statSync).toBe(statSync);
    await host.runtime.dispose();
  });

  it("[PLUG-420] puts back listeners of signals that were removed", () => {
    const listener = () => undefined;
    process.on("SIGHUP", listener);
    onTestFinished(() => void process.off("SIGHUP", listener));
    const end = builtInsWatch.watchProcess();
    onTestFinished(end);
    const logged: string[] = [];
    process.removeAllListeners("SIGHUP");
    expect(builtInsWatch.check(receiver([], logged))).toBe(true);
    expect(process.listeners("SIGHUP")).toContain(listener);
    expect(logged).toEqual([expect.stringContaining('a listener of process "SIGHUP" was removed')]);
  });

  it("[PLUG-420] leaves members that a polyfill adds without a loop seeing them", () => {
    const end = builtInsWatch.watchProcess();
    onTestFinished(end);
    defineProperty(Array.prototype, "lastOne", { value: () => 1, configurable: true });
    onTestFinished(() => void deleteProperty(Array.prototype, "lastOne"));
    expect(builtInsWatch.check(receiver([], []))).toBe(false);
    expect("lastOne" in []).toBe(true);
  });

  it("[PLUG-420] blames a plugin for what its timer changes", async () => {
    const watch = watchTimers();
    onTestFinished(() => watch.stop());
    const done = deferred<undefined>();
    const { runtime, faults } = hostWith({
      owner: () => {
        setTimeout(() => {
          Array.prototype.map = () => [];
        }, 0);
        setTimeout(() => done.resolve(undefined), 5);
      },
    });
    await runtime.load();
    await done.promise;
    expect(faults).toMatchObject([{ pluginId: "owner", kind: "pollution" }]);
    expect([1].map((one) => one + 1)).toEqual([2]);
  });
});
