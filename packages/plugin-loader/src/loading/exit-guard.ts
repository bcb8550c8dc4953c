import { PluginExitError } from "../errors.js";
import { framePlace } from "./stack-location.js";

/** Number of stack frames in which the calling plugin is searched. */
const FRAMES = 100;

interface Guarded {
  readonly rootDir: string;
  refused: PluginExitError | undefined;
}

const guarded = new Set<Guarded>();
let replaced = process.exit;

/**
 * Runs code of a plugin so that it cannot end the host: while it runs, `process.exit` called from a file of the plugin
 * throws, and the work fails even if the plugin catches the error. Calls from other files are not affected.
 * @param rootDir - real path of the plugin's folder
 * @param work - imports or registers the plugin
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

/**
 * Returns the function that a member of `process` is without the guard of this file.
 * @param value - the member
 */
export function withoutExitGuard(value: unknown): unknown {
  return value === refuseExit ? replaced : value;
}

function refuseExit(code?: number | string | null): never {
  const stack = callersOf(refuseExit);
  for (const guard of guarded) {
    const place = framePlace(stack, guard.rootDir);
    if (place === undefined) continue;
    guard.refused = new PluginExitError(place, `process.exit(${code ?? process.exitCode ?? 0})`);
    throw guard.refused;
  }
  return replaced(code);
}

/**
 * Returns the stack of the callers of a function.
 * @param callee - function to omit, with everything that it called
 */
export function callersOf(callee: (...args: never[]) => unknown): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const trace = { stack: "" };
  Error.captureStackTrace(trace, callee);
  Error.stackTraceLimit = limit;
  return trace.stack;
}
