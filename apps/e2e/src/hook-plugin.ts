import type { LifecyclePhase, PluginDefinition } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";

/** Settings of a handler, whatever its hook. */
interface HandlerOptions {
  readonly mode?: "fail-open" | "fail-closed";
  readonly priority?: number;
}

/**
 * A plugin of one handler, for tests that go over many hooks.
 * @param id - id of the plugin
 * @param hook - hook that it handles
 * @param handler - handler for a hook of any kind; the host checks its result as usual
 * @param options - options of the registration
 */
export function hookPlugin(
  id: string,
  hook: CataloguedHookName,
  handler: (event: object, context: object) => unknown,
  options: HandlerOptions = {},
): PluginDefinition {
  return {
    id,
    register(api) {
      // The types tie a handler to its hook by a literal name.
      Reflect.apply(api.on, api, [hook, handler, options]);
    },
  };
}

/**
 * A plugin whose one handler always fails, and whose failure is to count.
 * @param hook - hook that it handles
 */
export function failingPlugin(hook: CataloguedHookName): PluginDefinition {
  return hookPlugin("guard", hook, fail, { mode: "fail-closed" });
}

/**
 * As `failingPlugin`, registered by a lifecycle phase.
 * @param phase - that it handles
 */
export function failingPhase(phase: LifecyclePhase): PluginDefinition {
  return {
    id: "guard",
    register(api) {
      Reflect.apply(api.lifecycle.on, api.lifecycle, [phase, fail, { mode: "fail-closed" }]);
    },
  };
}

function fail(): never {
  throw new Error("the guard is broken");
}
