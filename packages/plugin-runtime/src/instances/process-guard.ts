import { sep } from "node:path";
import { PluginExitError } from "../errors.js";
import type { PluginRecord } from "../generations/record.js";
import { callersOf } from "../loading/exit-guard.js";
import { framePlace } from "../loading/stack-location.js";

/** An exception or rejection that a plugin left to the process. */
export interface PluginFault {
  readonly pluginId: string;
  /** File, line and column of the innermost frame of the plugin. */
  readonly place: string;
  readonly kind: "exception" | "rejection";
  readonly error: Error;
}

/** Options of {@link guardProcess}. */
export interface ProcessGuardOptions {
  /** Returns the plugins of the moment. */
  plugins(): readonly PluginRecord[];
  /**
   * Called for a fault of a plugin; the process continues.
   * @param fault - the fault
   */
  onFault(fault: PluginFault): void;
}

const ENDS = ["exit", "abort", "reallyExit"] as const;
const HOST_ROOT = hostRoot();
/** Exit code of an exception that nothing handles, as Node itself has it. */
const UNCAUGHT = 1;

/**
 * Keeps plugins from ending the process. A forgotten rejection, a throwing timer and an `error` event without a
 * listener go to the plugin in whose files the error arose; `process.exit`, `abort`, `reallyExit` and a `kill` of
 * the process itself throw where a plugin calls them. Errors of anything else end the process as before. An error
 * without a frame of the plugin, such as that of a socket, cannot be attributed.
 * @param options - plugins, and the receiver of their faults
 * @returns removes the guard
 */
export function guardProcess({ plugins, onFault }: ProcessGuardOptions): () => void {
  const find = (stack: string) => blame(stack, plugins());
  const onException = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin) => {
    const found = error instanceof Error ? find(framesOf(error)) : undefined;
    if (found !== undefined && error instanceof Error) {
      onFault({
        ...found,
        kind: origin === "unhandledRejection" ? "rejection" : "exception",
        error,
      });
      return;
    }
    // Another listener, for example of a test runner, handles it.
    if (process.listenerCount("uncaughtException") > 1) return;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(UNCAUGHT);
  };
  process.on("uncaughtException", onException);
  const undo = [
    () => process.off("uncaughtException", onException),
    ...ENDS.map((name) => refuse(name, find, () => true)),
    refuse("kill", find, (pid) => pid === process.pid || pid === 0 || pid === -process.pid),
  ];
  return () => {
    for (const each of undo) each();
  };
}

/** Replaces a function of the process and returns a function that restores it unless it was replaced again. */
function refuse(
  name: (typeof ENDS)[number] | "kill",
  find: (stack: string) => { place: string } | undefined,
  endsProcess: (argument: unknown) => boolean,
): () => void {
  const original: unknown = Reflect.get(process, name);
  if (typeof original !== "function") return () => {};
  const guarded = (...args: unknown[]): unknown => {
    const found = endsProcess(args[0]) ? find(callersOf(guarded)) : undefined;
    if (found === undefined) return Reflect.apply(original, process, args);
    throw new PluginExitError(found.place, `process.${name}(${args.map(String).join(", ")})`);
  };
  Reflect.set(process, name, guarded);
  return () => {
    if (Reflect.get(process, name) === guarded) Reflect.set(process, name, original);
  };
}

/** Returns the stack without the message, which may be long and may quote other stacks. */
function framesOf({ stack = "", message }: Error): string {
  const at = stack.indexOf(message);
  return at === -1 ? stack : stack.slice(at + message.length);
}

function blame(
  stack: string,
  plugins: readonly PluginRecord[],
): { pluginId: string; place: string } | undefined {
  // The folder of a single-file plugin may also contain the host.
  const byDepth = plugins.toSorted((a, b) => b.rootDir.length - a.rootDir.length);
  for (const { id, rootDir, loader } of byDepth) {
    // A plugin without files has the folder of the host.
    if (loader === undefined || loader === "inline") continue;
    const place = framePlace(stack, rootDir + sep);
    if (place === undefined) continue;
    const isOfHost = HOST_ROOT.startsWith(rootDir + sep) && place.startsWith(HOST_ROOT + sep);
    if (!isOfHost) return { pluginId: id, place };
  }
  return undefined;
}

/** The outermost `node_modules` folder that the host is installed in, or the folder of this module. */
function hostRoot(): string {
  const folder = import.meta.dirname;
  const [installed] = /^.*?[/\\]node_modules(?=[/\\])/.exec(folder) ?? [];
  return installed ?? folder;
}
