import { createRequire } from "node:module";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { guardProcess, type PluginFault, PluginFaults } from "@openclaw/plugin-loader";
import { describe, expect, it, onTestFinished } from "vitest";
import { deferred } from "../support/deferred.js";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

const require = createRequire(import.meta.url);
const ignore = () => undefined;

interface Guarded {
  readonly faults: PluginFaults;
  readonly reported: readonly PluginFault[];
  readonly logged: readonly string[];
  /** Resolves when the next fault was received. */
  next(): Promise<void>;
}

/** Guards this process until the end of the test, without the listeners of the test runner. */
function guarded(onFault: (fault: PluginFault) => void = ignore): Guarded {
  const reported: PluginFault[] = [];
  const logged: string[] = [];
  let received = deferred();
  const faults = new PluginFaults({
    logger: { debug: ignore, info: ignore, warn: ignore, error: (line) => void logged.push(line) },
    onFault(fault) {
      reported.push(fault);
      received.resolve();
      onFault(fault);
    },
  });
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    const listeners = process.rawListeners(event);
    process.removeAllListeners(event);
    onTestFinished(() => {
      for (const each of listeners)
        process.on(event, (...args) => Reflect.apply(each, process, args));
    });
  }
  onTestFinished(guardProcess(faults));
  const next = () => {
    received = deferred();
    return received.promise;
  };
  return { faults, reported, logged, next };
}

describe("what a plugin leaves to the process", () => {
  const UNREADABLE = "a value that cannot be shown";
  const unreadable: readonly [string, string, () => unknown][] = [
    ["an object without a prototype", UNREADABLE, () => Object.create(null)],
    [
      "an error whose stack is null",
      "no stack",
      () => Object.assign(new Error("no stack"), { stack: null }),
    ],
    [
      "an error whose stack cannot be read",
      UNREADABLE,
      () =>
        Object.defineProperty(new Error("guarded"), "stack", {
          get: () => {
            throw new Error("mine");
          },
        }),
    ],
    [
      "an error whose message is not a string",
      UNREADABLE,
      () => Object.assign(new Error("object"), { message: Object.create(null) }),
    ],
  ];

  it.each(unreadable)("[PLUG-071] is a fault of it when it is %s", async (_, message, create) => {
    const { faults, reported, next } = guarded();
    const thrown = next();
    faults.scope("careless").run(() =>
      setTimeout(() => {
        throw create();
      }, 0),
    );
    await thrown;
    const rejected = next();
    faults.scope("careless").run(() => void setTimeout(() => void Promise.reject(create()), 0));
    await rejected;
    expect(reported.map(({ pluginId, kind }) => [pluginId, kind])).toEqual([
      ["careless", "exception"],
      ["careless", "rejection"],
    ]);
    expect(reported[0]?.error.message).toBe(message);
  });

  it.each([
    ...unreadable,
    ["an error whose stack is a number", "", () => Object.assign(new Error("five"), { stack: 5 })],
  ] as const)(
    "[PLUG-023] fails only the plugin whose register throws it when it is %s",
    async (_, __, create) => {
      const throwing = plugin(() => {
        throw create();
      }, "throwing");
      const { runtime } = createTestHost([throwing, plugin(ignore, "sound")]);
      await runtime.load();
      expect(runtime.current.plugins).toMatchObject([
        { id: "throwing", status: "error" },
        { id: "sound", status: "loaded" },
      ]);
      await runtime.dispose();
    },
  );

  it("[PLUG-071] does not end the process when the receiver of the fault fails", async () => {
    const { faults, logged, next } = guarded(() => {
      throw new Error("disk full");
    });
    const received = next();
    faults.scope("careless").run(() =>
      setTimeout(() => {
        throw new Error("lost");
      }, 0),
    );
    await received;
    expect(logged).toEqual([
      'a fault of plugin "careless" (exception) could not be handled: disk full',
    ]);
  });

  it("[PLUG-071] is attributed to the innermost frame, not to the plugin with the longest path", async () => {
    const { faults, reported, next } = guarded();
    const bus = 'globalThis.busOfPlugins ??= new (await import("node:events")).EventEmitter();';
    const { runtime } = createFileHost(
      [
        {
          id: "plugin-that-emits-events",
          code: `${bus} setTimeout(() => globalThis.busOfPlugins.emit("tick"), 0);`,
          register: ignore,
        },
        {
          id: "b",
          code: `${bus} globalThis.busOfPlugins.on("tick", () => { throw new Error("of the listener"); });`,
          register: ignore,
        },
      ],
      {},
      { faults },
    );
    const received = next();
    await runtime.load();
    await received;
    expect(reported).toEqual([
      expect.objectContaining({
        pluginId: "b",
        place: expect.stringMatching(/\/b\/index\.mjs:1:\d+$/),
      }),
    ]);
    await runtime.dispose();
  });
});

it("[PLUG-071] a frame in a folder whose path only ends like that of a plugin is not of the plugin", () => {
  const { faults } = guarded();
  faults.noteRoot("/p", "short");
  expect(faults.blame("    at f (/data/p/a.js:1:2)")).toBeUndefined();
  expect(faults.blame("    at f (/p/a.js:1:2)")).toEqual({
    pluginId: "short",
    place: "/p/a.js:1:2",
  });
});

describe("a CommonJS plugin in a folder with a space and parentheses", () => {
  const NAME = "My Plugins (x)/quitter";

  it("[PLUG-071] cannot end the process", () => {
    using folder = temporaryFolder("attribution");
    folder.write({ [`${NAME}/index.cjs`]: "exports.quit = () => process.exit(7);" });
    const { faults } = guarded();
    const rootDir = join(folder.path, NAME);
    faults.noteRoot(rootDir, "quitter");
    const { quit } = require(join(rootDir, "index.cjs"));
    expect(quit).toThrow(`${rootDir}/index.cjs:1:30`);
  });

  it("[PLUG-071] cannot end the process while it is loaded", async () => {
    using folder = temporaryFolder("attribution");
    folder.write({
      [`${NAME}/openclaw.plugin.json`]: JSON.stringify({ id: "quitter", entry: "index.cjs" }),
      [`${NAME}/index.cjs`]: "process.exit(7); exports.register = () => {};",
    });
    const paths = [join(folder.path, NAME)];
    const { runtime } = createTestHost([], {
      load: { paths },
      entries: { quitter: { enabled: true } },
    });
    const { diagnostics } = await runtime.load();
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        pluginId: "quitter",
        message: expect.stringContaining("process.exit(7)"),
      }),
    );
    await runtime.dispose();
  });
});
