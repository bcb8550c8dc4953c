import type { Approval } from "@openclaw/store/decisions";

const LONGEST = 200;

/**
 * What a grant covers, as people are shown it: the command, the tool, or what the plugin called it.
 * @param approval - the question that was answered for longer; secrets are masked in it
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
