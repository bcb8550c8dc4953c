import { formatPolicyProblem, type Gateway } from "@openclaw/gateway";
import type { Terminal } from "../shell/terminal.js";

/**
 * Prints a line with the next step for each plugin that failed to load; the other plugins still run. Also
 * names each plugin whose tools policy hides (POL-025), each entry of the policy that matches no tool, and each name in the
 * configuration that nothing has (GW-280).
 * @param gateway - started gateway
 * @param terminal - terminal; notes go to standard error
 */
export function notePluginProblems(
  { plugins, policyWarnings, unknownNames }: Gateway,
  { note }: Terminal,
): void {
  for (const { level, message, hint } of plugins.diagnostics) {
    if (level !== "error") continue;
    const line = hint === undefined ? message : `${message}; ${hint}`;
    note(`openclaw: ${line.replace(/\s*\n\s*/g, " ")}`);
  }
  for (const warning of policyWarnings) {
    if (SHOWN.has(warning.code)) note(`openclaw: ${formatPolicyProblem(warning)}`);
  }
  for (const problem of unknownNames) note(`openclaw: ${problem}`);
}

const SHOWN: ReadonlySet<string> = new Set(["POLICY_PLUGIN_HIDDEN", "POLICY_UNKNOWN_ENTRY"]);
