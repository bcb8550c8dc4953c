import type { Gateway } from "@openclaw/gateway";
import type { Terminal } from "./terminal.js";

/**
 * Names each plugin that could not be loaded, in one line with the next step; the others serve.
 * @param gateway - started
 * @param terminal - notes go to standard error
 */
export function notePluginProblems({ plugins }: Gateway, { note }: Terminal): void {
  for (const { level, message, hint } of plugins.diagnostics) {
    if (level !== "error") continue;
    const line = hint === undefined ? message : `${message}; ${hint}`;
    note(`openclaw: ${line.replace(/\s*\n\s*/g, " ")}`);
  }
}
