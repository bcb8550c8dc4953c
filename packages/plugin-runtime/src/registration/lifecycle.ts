import type { RuntimeLifecycle } from "@openclaw/plugin-sdk/lifecycle";
import { expectObject, expectOptionalFunction, expectText } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Cleanup callbacks of a plugin. */
export interface PluginLifecycleRegistration extends RegistrationOrigin {
  readonly lifecycle: RuntimeLifecycle;
}

/**
 * Checks the argument of `api.lifecycle.registerRuntimeLifecycle` (LIFE-035).
 * @param lifecycle - its callbacks
 * @throws PluginRegistrationError naming the field
 */
export function readRuntimeLifecycle(
  origin: RegistrationOrigin,
  lifecycle: RuntimeLifecycle,
): PluginLifecycleRegistration {
  const call = { origin, member: "lifecycle.registerRuntimeLifecycle" };
  expectObject(call, "lifecycle", lifecycle);
  const id = expectText(call, "id", lifecycle.id);
  expectOptionalFunction(call, `dispose of lifecycle "${id}"`, lifecycle.dispose);
  expectOptionalFunction(call, `cleanup of lifecycle "${id}"`, lifecycle.cleanup);
  return { ...origin, lifecycle };
}
