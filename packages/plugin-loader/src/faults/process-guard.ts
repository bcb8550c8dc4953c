import { PluginExitError } from "../errors.js";
import { callersOf } from "../loading/exit-guard.js";
import type { BlamedFrame, PluginFaults } from "./plugin-faults.js";
import { currentScope } from "./plugin-scope.js";
import { readThrown } from "./thrown-value.js";

const ENDS = ["exit", "abort", "reallyExit"] as const;
/** Exit code of an exception that nothing handles, as Node itself has it. */
const UNCAUGHT = 1;

/** The hosts of the process whose plugins are kept from ending it. */
const guarded = new Set<PluginFaults>();
let unguard = () => {};

/**
 * Keeps plugins of a host from ending the process. A forgotten rejection, a throwing timer and an `error` event
 * without a listener go to the plugin in whose files the error arose or, when the stack shows no plugin, to the
 * plugin in whose call the code runs. `process.exit`, `abort`, `reallyExit` and a `kill` of the process itself
 * throw where a plugin calls them. Errors of anything else end the process as before.
 * @param faults - the plugins of the host, and the receiver of their faults; several hosts share one guard
 * @returns removes the host from the guard
 */
export function guardProcess(faults: PluginFaults): () => void {
  if (guarded.size === 0) unguard = installGuard();
  guarded.add(faults);
  return () => {
    if (guarded.delete(faults) && guarded.size === 0) unguard();
  };
}

function installGuard(): () => void {
  process.on("uncaughtException", onException);
  const undo = [
    ...ENDS.map((name) => refuse(name, () => true)),
    refuse("kill", (pid) => pid === process.pid || pid === 0 || pid === -process.pid),
  ];
  return () => {
    process.off("uncaughtException", onException);
    for (const each of undo) each();
  };
}

function onException(thrown: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
  const kind = origin === "unhandledRejection" ? "rejection" : "exception";
  // Node's type says Error, but anything can be thrown.
  const { error, frames } = readThrown(thrown);
  const culprits = culpritsOf(frames);
  for (const [faults, culprit] of culprits) faults.report({ ...culprit, kind, error });
  if (culprits.length > 0) return;
  // Another listener, for example of a test runner, handles it.
  if (process.listenerCount("uncaughtException") > 1) return;
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exit(UNCAUGHT);
}

type Culprit = Pick<BlamedFrame, "pluginId"> & { readonly place: string | undefined };

/** The stack decides; for hosts that run the same plugin, the call in which the code runs. */
function culpritsOf(stack: string): [PluginFaults, Culprit][] {
  const scope = currentScope();
  const byStack = [...guarded].flatMap((faults): [PluginFaults, Culprit][] => {
    const frame = faults.blame(stack);
    return frame === undefined ? [] : [[faults, frame]];
  });
  const ofScope = byStack.filter(([faults]) => faults === scope?.owner);
  if (ofScope.length > 0) return ofScope;
  if (byStack.length > 0 || scope === undefined) return byStack;
  return [...guarded].flatMap((faults): [PluginFaults, Culprit][] =>
    faults === scope.owner ? [[faults, { pluginId: scope.pluginId, place: undefined }]] : [],
  );
}

/** Replaces a function of the process and returns a function that restores it unless it was replaced again. */
function refuse(
  name: (typeof ENDS)[number] | "kill",
  endsProcess: (argument: unknown) => boolean,
): () => void {
  const original: unknown = Reflect.get(process, name);
  if (typeof original !== "function") return () => {};
  const refusing = (...args: unknown[]): unknown => {
    const place = endsProcess(args[0]) ? pluginPlace(callersOf(refusing)) : undefined;
    if (place === undefined) return Reflect.apply(original, process, args);
    throw new PluginExitError(place, `process.${name}(${args.map(String).join(", ")})`);
  };
  Reflect.set(process, name, refusing);
  return () => {
    if (Reflect.get(process, name) === refusing) Reflect.set(process, name, original);
  };
}

function pluginPlace(stack: string): string | undefined {
  for (const faults of guarded) {
    const frame = faults.blame(stack);
    if (frame !== undefined) return frame.place;
  }
  return undefined;
}
