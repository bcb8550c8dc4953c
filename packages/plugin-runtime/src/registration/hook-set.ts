import type { HookSet } from "@openclaw/plugin-sdk/hooks";
import { expectFunction, expectObject } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Configured hooks of a plugin. */
export interface PluginHookSetRegistration extends RegistrationOrigin {
  readonly set: HookSet;
}

/**
 * Checks the argument of `api.registerHookSet`.
 * @throws PluginRegistrationError naming the field
 */
export function readHookSet(origin: RegistrationOrigin, set: HookSet): PluginHookSetRegistration {
  const call = { origin, member: "registerHookSet" };
  expectObject(call, "set", set);
  for (const member of ["list", "show", "setEnabled", "test", "approve"] as const) {
    expectFunction(call, member, set[member]);
  }
  return { ...origin, set };
}
