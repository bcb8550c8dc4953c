import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { guardProcess, type PluginFault, PluginFaults } from "../../src/index.js";

/** Functions of the plugins, each of which damages the process. */
interface Damage {
  throwLater(message: string): void;
  reject(message: string): void;
  rejectBare(): void;
  end(name: string, ...args: unknown[]): void;
}

const CODE = `
export const throwLater = (message) => setTimeout(() => { throw new Error(message); }, 0);
export const reject = (message) => { void Promise.reject(new Error(message)); };
export const rejectBare = () => { void Promise.reject("bare"); };
export const end = (name, ...args) => process[name](...args);
`;

/** Replacements of the functions that end the process. */
const ends = { exit: vi.fn(), abort: vi.fn(), reallyExit: vi.fn(), kill: vi.fn() };

interface TestPlugins {
  readonly folder: string;
  /** Imports a plugin from its folder below the one of all. */
  damage(id: string): Promise<Damage>;
}

function pluginFiles(...ids: readonly string[]): TestPlugins {
  const folder = temporaryFolder("process-guard");
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write(Object.fromEntries(ids.map((id) => [`${id}/index.mjs`, CODE])));
  return {
    folder: folder.path,
    damage: (id) => import(pathToFileURL(join(folder.path, id, "index.mjs")).href),
  };
}

interface GuardedHost {
  readonly plugins: PluginFaults;
  readonly faults: readonly PluginFault[];
  /** Removes the host from the guard. */
  readonly stop: () => void;
}

/** A host of plugins, each in its folder below the one of all. */
function guardedHost(folder: string, ...ids: readonly string[]): GuardedHost {
  const faults: PluginFault[] = [];
  const ignore = () => undefined;
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const plugins = new PluginFaults({ logger, onFault: (fault) => faults.push(fault) });
  for (const id of ids) plugins.noteRoot(join(folder, id), id);
  const stop = guardProcess(plugins);
  onTestFinished(stop);
  return { plugins, faults, stop };
}

function blamed({ faults }: GuardedHost): readonly string[] {
  return faults.map(({ pluginId }) => pluginId);
}

/** Handles every error after the guard, so that no error ends the test. */
function otherHandler(): readonly unknown[] {
  const handled: unknown[] = [];
  const handle = (error: unknown) => void handled.push(error);
  process.on("uncaughtException", handle);
  onTestFinished(() => void process.off("uncaughtException", handle));
  return handled;
}

function currentEnds(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(ends).map((name) => [name, Reflect.get(process, name)]));
}

function replaceEnds(functions: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(functions)) Reflect.set(process, name, value);
}

const own = {
  ends: currentEnds(),
  exceptions: process.listeners("uncaughtException"),
  rejections: process.listeners("unhandledRejection"),
};

beforeEach(() => {
  // Those of the test runner would fail the run.
  process.removeAllListeners("uncaughtException");
  process.removeAllListeners("unhandledRejection");
  replaceEnds(ends);
});

afterEach(() => {
  replaceEnds(own.ends);
  vi.restoreAllMocks();
  vi.clearAllMocks();
  for (const listener of own.exceptions) process.on("uncaughtException", listener);
  for (const listener of own.rejections) process.on("unhandledRejection", listener);
});

describe("an error that nothing handles", () => {
  it("[PLUG-071] is a fault of the plugin in whose file it arose", async () => {
    const { folder, damage } = pluginFiles("careless");
    const host = guardedHost(folder, "careless");
    const handled = otherHandler();
    const careless = await damage("careless");
    careless.throwLater("from a timer");
    careless.reject("forgotten");
    await vi.waitFor(() => expect(handled).toHaveLength(2));
    const place = expect.stringContaining(join(folder, "careless/index.mjs"));
    const pluginId = "careless";
    expect(host.faults.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
      { pluginId, place, kind: "exception", error: new Error("from a timer") },
      { pluginId, place, kind: "rejection", error: new Error("forgotten") },
    ]);
  });

  it("[PLUG-071] is a fault of the plugin in whose call it arose when no stack names one", async () => {
    const { folder, damage } = pluginFiles("careless");
    const host = guardedHost(folder, "careless");
    const handled = otherHandler();
    const careless = await damage("careless");
    host.plugins.scope("careless").run(() => careless.rejectBare());
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    expect(host.faults).toMatchObject([
      {
        pluginId: "careless",
        place: undefined,
        kind: "rejection",
        error: { message: expect.stringContaining("bare") },
      },
    ]);
  });

  it("[PLUG-071] is a fault of the plugin in its stack, whichever plugin called it", async () => {
    const { folder, damage } = pluginFiles("careless", "caller");
    const host = guardedHost(folder, "careless");
    const other = guardedHost(folder, "caller");
    const handled = otherHandler();
    const careless = await damage("careless");
    other.plugins.scope("caller").run(() => careless.throwLater("called"));
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    expect(blamed(host)).toEqual(["careless"]);
    expect(blamed(other)).toEqual([]);
  });

  it("[PLUG-071] goes to the host in whose call it arose, otherwise to each that has the plugin", async () => {
    const { folder, damage } = pluginFiles("both");
    const hosts = [guardedHost(folder, "both"), guardedHost(folder, "both")] as const;
    const handled = otherHandler();
    const both = await damage("both");
    hosts[1].plugins.scope("both").run(() => both.throwLater("in a call"));
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    expect(hosts.map(blamed)).toEqual([[], ["both"]]);
    both.throwLater("between calls");
    await vi.waitFor(() => expect(handled).toHaveLength(2));
    expect(hosts.map(blamed)).toEqual([["both"], ["both", "both"]]);
  });

  it("[PLUG-071] is of the plugin with the innermost folder", async () => {
    const { folder, damage } = pluginFiles("outer/inner");
    const host = guardedHost(folder, "outer", "outer/inner");
    const handled = otherHandler();
    (await damage("outer/inner")).reject("inside");
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    expect(blamed(host)).toEqual(["outer/inner"]);
  });

  it("[PLUG-071] is of the host when its own files are inside the folder of a plugin", () => {
    const root = join(import.meta.dirname, "../..");
    const { plugins } = guardedHost(dirname(root), basename(root));
    expect(plugins.blame(`    at f (${root}/src/faults/process-guard.ts:1:1)`)).toBeUndefined();
    expect(plugins.blame(`    at f (${root}/single.mjs:1:1)`)).toEqual({
      pluginId: basename(root),
      place: `${root}/single.mjs:1:1`,
    });
  });

  it("[PLUG-071] ends the process when it is of no plugin, also when its message quotes one", async () => {
    const { folder } = pluginFiles("quoted");
    const host = guardedHost(folder, "quoted");
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const message = `failed at ${join(folder, "quoted/index.mjs")}:1:1`;
    setTimeout(() => {
      throw new Error(message);
    }, 0);
    await vi.waitFor(() => expect(ends.exit).toHaveBeenCalledWith(1));
    expect(written.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining("process-guard.test.ts"),
    ]);
    expect(host.faults).toEqual([]);
  });
});

describe("a call that would end the process", () => {
  it("[PLUG-071] throws where a plugin makes it, until its host stops", async () => {
    const { folder, damage } = pluginFiles("ending");
    const host = guardedHost(folder, "ending");
    const other = guardedHost(folder, "other");
    const { end } = await damage("ending");
    const { pid } = process;
    const calls: readonly (readonly [string, ...unknown[]])[] = [
      ["exit", 7],
      ["abort"],
      ["reallyExit", 0],
      ["kill", pid, "SIGTERM"],
      ["kill", 0, 0],
      ["kill", -pid, 0],
    ];
    const refused = expect.objectContaining({ code: "PLUGIN_EXIT_REFUSED" });
    for (const call of calls) expect(() => end(...call), `${call}`).toThrow(refused);
    other.stop();
    for (const call of calls) expect(() => end(...call), `${call}`).toThrow(refused);
    for (const ending of Object.values(ends)) expect(ending).not.toHaveBeenCalled();
    end("kill", process.ppid, 0);
    expect(ends.kill).toHaveBeenCalledWith(process.ppid, 0);
    process.exit(3);
    expect(ends.exit).toHaveBeenCalledWith(3);
    host.stop();
    expect(currentEnds()).toEqual(ends);
    expect(process.listenerCount("uncaughtException")).toBe(0);
  });
});
