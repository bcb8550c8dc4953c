import type { HookDispatch } from "@openclaw/hook-runner";
import { isHookName } from "@openclaw/plugin-sdk";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import { HOOK_CATALOG } from "../catalog/catalog.js";

/** Key under which the modules of `openclaw/plugin-sdk`, which are built apart, find the hooks of the process. */
const KEY = Symbol.for("openclaw.hook-runner");

/** Runs hooks by their names, as older plugins do (PLUG-114). */
export interface GlobalHookRunner {
  hasHooks(name: string): boolean;
  /** Dispatches a hook; undefined for a name without handlers. */
  run(name: string, event: object, context: object): unknown;
}

/**
 * Makes the hooks of a host available to older plugins; of several hosts in a process, the newest one.
 * @param hooks - dispatches hooks
 */
export function publishHookRunner(hooks: HookDispatch<HookMap>): void {
  // A host that has ended must not be kept.
  const reference = new WeakRef(hooks);
  const has = (name: string) => isHookName(name) && reference.deref()?.has(name) === true;
  const runner: GlobalHookRunner = {
    hasHooks: has,
    run(name, event, context) {
      const dispatch = reference.deref();
      if (dispatch === undefined || !isHookName(name) || !has(name)) return undefined;
      const { kind } = HOOK_CATALOG[name];
      return Reflect.apply(dispatch[kind], dispatch, [name, event, context]);
    },
  };
  Reflect.set(globalThis, KEY, runner);
}
