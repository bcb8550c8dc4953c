import type { HandlerEntry } from "../define/handler-entry.js";
import type { Hook } from "../define/hook.js";
import { PluginHookExecutionError } from "../errors.js";
import { CallContext, entryOf, frameOf } from "./call-context.js";
import type { Engine } from "./engine.js";
import { type CallPath, OUTSIDE } from "./frame.js";

const MAX_DEPTH = 8;

/**
 * Returns the handlers inside which a dispatch is made: those on the stack, or, for a dispatch made
 * after a handler's first await, that handler if it passed its own context on.
 */
export function pathOf(engine: Engine, context: object): CallPath {
  if (engine.running !== null) return [...engine.path, engine.running];
  if (context instanceof CallContext) return [...frameOf(context).path, entryOf(context)];
  return OUTSIDE;
}

/** Returns the error of a dispatch nested inside the same hook too deeply, or `null` (HOOK-039). */
export function nestedTooDeep(hook: Hook, path: CallPath): PluginHookExecutionError | null {
  const caller = path.at(-1);
  if (caller === undefined || path.length < MAX_DEPTH) return null;
  if (path.filter((entry) => entry.hook === hook).length < MAX_DEPTH) return null;
  return new PluginHookExecutionError({
    code: "HOOK_THREW",
    pluginId: caller.owner,
    hookName: hook.name,
    registrationId: caller.registration.id,
    mode: "fail-closed",
    attempts: 0,
    durationMs: 0,
    detail: `dispatched inside itself more than ${MAX_DEPTH} deep: ${describe(path)} → ${hook.name}`,
  });
}

function describe(path: readonly HandlerEntry[]): string {
  return path.map(({ hook, owner }) => `${hook.name} (plugin "${owner}")`).join(" → ");
}
