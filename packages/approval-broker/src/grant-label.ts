import { startOfText } from "@openclaw/foundation";
import type { Approval, ApprovalGrant } from "@openclaw/store/decisions";

const LONGEST = 200;

/**
 * Returns the label of a grant for display: the command, the calls of a tool, or the title that the plugin
 * gave.
 * @param approval - approval request that was allowed for later calls, with secrets masked
 */
export function grantLabel(approval: Approval): string {
  const { title } = approval;
  const shown = labelOf(approval) ?? title;
  return shown.length <= LONGEST ? shown : `${startOfText(shown, LONGEST - 1)}…`;
}

/**
 * Returns the persons whose calls a grant covers, as the audit log names them.
 * @param grant - stored grant
 */
export function granteesOf({
  scope,
  requester: { channel, senderId },
}: Pick<ApprovalGrant, "scope" | "requester">): string {
  return scope === "agent" || scope === "global" ? "every person" : `${channel}:${senderId}`;
}

function labelOf({ kind, tool, title, grant, params }: Approval): string | undefined {
  switch (kind) {
    case "exec":
      return commandOf(params);
    case "tool":
      // Earlier versions stored no words for it.
      return grant.covers ?? tool;
    case "plugin":
      return title;
  }
}

function commandOf(params: Approval["params"]): string | undefined {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return undefined;
  const { command } = params;
  return typeof command === "string" ? command : undefined;
}
