import { formatPolicyProblem, type Gateway } from "@openclaw/gateway";
import type { Terminal } from "../shell/terminal.js";

/**
 * Names each plugin that could not be loaded, in one line with the next step; the others serve. Names too
 * each plugin whose tools policy hides (POL-025).
 * @param gateway - started
 * @param terminal - notes go to standard error
 */
export function notePluginProblems({ plugins, policyWarnings }: Gateway, { note }: Terminal): void {
  for (const { level, message, hint } of plugins.diagnostics) {
    if (level !== "error") continue;
    const line = hint === undefined ? message : `${message}; ${hint}`;
    note(`openclaw: ${line.replace(/\s*\n\s*/g, " ")}`);
  }
  for (const warning of policyWarnings) {
    if (warning.code === "POLICY_PLUGIN_HIDDEN") note(`openclaw: ${formatPolicyProblem(warning)}`);
  }
}
