import type { PluginService, PluginServiceContext } from "@openclaw/plugin-sdk";
import { expectFunction, expectObject, expectOptionalFunction, expectText } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Calls code of a plugin, to which faults of the call are attributed. */
export type EnterPlugin = <Result>(work: () => Result) => Result;

/** A background service of a plugin that runs as long as the host. */
export interface PluginServiceRegistration extends RegistrationOrigin {
  readonly service: PluginService;
  /**
   * Creates the context of its start.
   * @param signal - aborts when the service must stop
   * @param enter - calls its repeated work
   */
  context(signal: AbortSignal, enter: EnterPlugin): PluginServiceContext;
}

/**
 * Checks the argument of `api.registerService` (PLUG-036).
 * @param context - creates the context of its start
 * @throws PluginRegistrationError naming the field
 */
export function readService(
  origin: RegistrationOrigin,
  service: PluginService,
  context: PluginServiceRegistration["context"],
): PluginServiceRegistration {
  const call = { origin, member: "registerService" };
  expectObject(call, "service", service);
  const id = expectText(call, "id", service.id);
  expectFunction(call, `start of service "${id}"`, service.start);
  expectOptionalFunction(call, `stop of service "${id}"`, service.stop);
  return { ...origin, service, context };
}
