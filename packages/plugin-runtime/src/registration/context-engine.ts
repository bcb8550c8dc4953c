import type { ContextEngineFactory } from "@openclaw/plugin-sdk/plugin-entry";
import { expectFunction, expectText } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A context engine, which selects the part of the conversation sent to the model. */
export interface PluginContextEngineRegistration extends RegistrationOrigin {
  readonly id: string;
  readonly factory: ContextEngineFactory;
}

/**
 * Checks the arguments of `api.registerContextEngine`.
 * @param origin - the plugin
 * @param id - id of the engine
 * @param factory - creates the engine
 * @throws PluginRegistrationError naming the argument
 */
export function readContextEngine(
  origin: RegistrationOrigin,
  id: string,
  factory: ContextEngineFactory,
): PluginContextEngineRegistration {
  const call = { origin, member: "registerContextEngine" };
  expectFunction(call, "factory", factory);
  return { ...origin, id: expectText(call, "id", id), factory };
}
