import type { Approval } from "@openclaw/store/decisions";

const LONGEST = 200;

/**
 * Returns the label of a grant for display: the command, the tool, or the title that the plugin
 * gave.
 * @param approval - approval request that was allowed for later calls, with secrets masked
 */
export function grantLabel({ kind, tool, title, params }: Approval): string {
  const label = kind === "exec" ? (commandOf(params) ?? title) : kind === "tool" ? tool : title;
  const shown = label ?? title;
  return shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST - 1)}…`;
}

function commandOf(params: Approval["params"]): string | undefined {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return undefined;
  const { command } = params;
  return typeof command === "string" ? command : undefined;
}
