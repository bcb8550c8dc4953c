import type { AgentToolResultMiddleware } from "@openclaw/plugin-sdk/tools";
import { expectFunction } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Middleware that replaces results of tools before models see them. */
export interface PluginToolResultRegistration extends RegistrationOrigin {
  readonly middleware: AgentToolResultMiddleware;
}

/**
 * Checks the argument of `api.registerAgentToolResultMiddleware`.
 * @param middleware - called with each result
 * @throws PluginRegistrationError
 */
export function readToolResultMiddleware(
  origin: RegistrationOrigin,
  middleware: AgentToolResultMiddleware,
): PluginToolResultRegistration {
  const call = { origin, member: "registerAgentToolResultMiddleware" };
  expectFunction(call, "middleware", middleware);
  return { ...origin, middleware };
}
