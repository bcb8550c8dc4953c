import { sep } from "node:path";
import { PluginExitError } from "../errors.js";
import { framePlace } from "./stack-location.js";

/** How far down a stack the plugin that asked for the end is looked for. */
const FRAMES = 100;

interface Guarded {
  readonly rootDir: string;
  refused: PluginExitError | undefined;
}

const guarded = new Set<Guarded>();
let replaced = process.exit;

/**
 * Runs a plugin's code so that it cannot end the host: `process.exit`, called from a file of the plugin
 * meanwhile, throws, and the work counts as failed even where the plugin catches that. Other ways to
 * end a process are left alone, and so is everybody else's `process.exit`.
 * @param rootDir - real path of the plugin's folder
 * @param work - imports the plugin, or lets it register
 * @throws PluginExitError
 */
export async function withoutExit<Result>(
  rootDir: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const guard: Guarded = { rootDir, refused: undefined };
  if (guarded.size === 0) {
    replaced = process.exit;
    process.exit = refuseExit;
  }
  guarded.add(guard);
  try {
    const result = await work();
    if (guard.refused !== undefined) throw guard.refused;
    return result;
  } finally {
    guarded.delete(guard);
    if (guarded.size === 0) process.exit = replaced;
  }
}

function refuseExit(code?: number | string | null): never {
  const stack = callersOf(refuseExit);
  for (const guard of guarded) {
    const place = framePlace(stack, guard.rootDir + sep);
    if (place === undefined) continue;
    guard.refused = new PluginExitError(place, `process.exit(${code ?? process.exitCode ?? 0})`);
    throw guard.refused;
  }
  return replaced(code);
}

/**
 * Returns the stack of the callers of a function.
 * @param callee - the function that is left out, with what it called
 */
export function callersOf(callee: (...args: never[]) => unknown): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const trace = { stack: "" };
  Error.captureStackTrace(trace, callee);
  Error.stackTraceLimit = limit;
  return trace.stack;
}
