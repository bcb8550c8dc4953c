import type { ContextActions, SafetyAction } from "./action.js";

/**
 * Actions of a policy rule: its own in parameters, a warning in what was said or read (SAFE-040).
 * @param params - the action in a tool's parameters
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
