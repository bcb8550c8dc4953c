import { HOOK_CATALOG, type PluginRuntime } from "@openclaw/plugin-runtime";
import {
  type HookResult,
  LIFECYCLE_ALIASES,
  LIFECYCLE_PHASES,
  type LifecyclePhase,
} from "@openclaw/plugin-sdk";
import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { LifecycleAlias, PhaseHook } from "@openclaw/plugin-sdk/lifecycle";
import { sampleContext } from "../samples/context.js";

type Dispatch = (hook: string, event: object, context: object) => unknown;

/**
 * Dispatches a hook according to its kind, and waits until every handler has finished.
 * @param hooks - dispatchers of the host
 * @param hook - a catalogued hook
 * @param event - event for the handlers
 * @param context - fields of their context that differ from the sample
 * @returns the merged result; undefined when no handler had one
 */
export async function fireHook<Name extends CataloguedHookName>(
  hooks: PluginRuntime["hooks"],
  hook: Name,
  event: HookMap[Name]["event"],
  context: Partial<HookMap[Name]["context"]> = {},
): Promise<HookResult<Name> | undefined> {
  const { kind } = HOOK_CATALOG[hook];
  // Only the catalog determines which of the five dispatches applies, not the type of a name.
  const dispatch = hooks[kind].bind(hooks) as Dispatch;
  return (await dispatch(hook, event, sampleContext(hook, context))) as
    | HookResult<Name>
    | undefined;
}

/**
 * Returns the hook of a lifecycle phase or alias.
 * @param phase - for example `tool.pre` or `preToolExecution`
 */
export function hookOfPhase<Phase extends LifecyclePhase | LifecycleAlias>(
  phase: Phase,
): PhaseHook<Phase> {
  const isAlias = Object.hasOwn(LIFECYCLE_ALIASES, phase);
  const name = isAlias ? LIFECYCLE_ALIASES[phase as LifecycleAlias] : (phase as LifecyclePhase);
  return LIFECYCLE_PHASES[name] as PhaseHook<Phase>;
}
