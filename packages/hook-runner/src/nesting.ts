import { PluginHookExecutionError } from "./errors.js";
import type { Frame } from "./frame.js";

const MAX_DEPTH = 8;

/**
 * The error of a dispatch made from inside handlers of the same hook too many times over
 * (HOOK-039), or `null`. It names the calls that lead back to the hook, outermost first.
 */
export function nestedTooDeep(
  { hook, caller: direct }: Frame,
): PluginHookExecutionError | null {
  let depth = 1;
  const path: string[] = [];
  for (let caller = direct; caller !== null; caller = caller.frame.caller) {
    const { frame, entry } = caller;
    path.unshift(`${frame.hook.name} (plugin "${entry.owner}")`);
    if (frame.hook === hook) depth += 1;
  }
  if (direct === null || depth <= MAX_DEPTH) return null;

  const { entry } = direct;
  return new PluginHookExecutionError({
    code: "HOOK_THREW",
    pluginId: entry.owner,
    hookName: hook.name,
    registrationId: entry.registration.id,
    mode: "fail-closed",
    attempts: 0,
    durationMs: 0,
    detail: `its handler dispatched the hook again, ${MAX_DEPTH} deep: ${path.join(" → ")} → ${hook.name}`,
  });
}
