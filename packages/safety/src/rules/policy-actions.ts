import type { ContextActions, SafetyAction } from "./action.js";

/**
 * Returns the actions of a policy rule: its own in parameters, a warning in messages and output
 * (SAFE-040).
 * @param params - action in a tool's parameters
 */
export function policyActions(params: SafetyAction): ContextActions {
  return {
    params,
    output: "warn",
    input: "warn",
    network: "allow",
    file: "allow",
    log: "allow",
  };
}
