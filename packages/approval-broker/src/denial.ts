import type { Approval } from "@openclaw/store/decisions";
import { COMMAND_TOOL } from "./need.js";
import type { ApprovalRequest } from "./request.js";

/**
 * Returns the reason why a call does not run after its approval request was denied, expired or
 * cancelled (APPR-016).
 * @param approval - settled approval request that does not allow the call
 */
export function reasonToDeny({ state, createdAt, expiresAt, decidedBy, note }: Approval): string {
  switch (state) {
    case "timed-out":
      return `no answer within ${Math.round((expiresAt - createdAt) / 1000)} s`;
    case "cancelled":
      return `the request was cancelled (${decidedBy ?? "by the host"})`;
    default:
      return note === undefined ? "by user" : `by user, with the note: ${note}`;
  }
}

/**
 * Returns the reason why a call is denied where no approver is reachable, with the settings that
 * would allow it (APPR-031).
 * @param request - approval request of the call
 */
export function reasonWithoutApprover({
  cause,
  pluginId,
  toolName,
  need,
  description,
  asksEachTime = false,
}: ApprovalRequest): string {
  const reasons = {
    tool: "the call needs a person's approval",
    policy: "a tool policy rule requires a person's approval",
    safety: "a safety rule requires a person's approval",
    doubt: `plugin "${pluginId}" cannot tell what the command does and requires a person's approval`,
    plugin: `plugin "${pluginId}" requires a person's approval`,
  };
  const reason = `no approver reachable: ${reasons[cause.kind]}`;
  // No setting replaces the decision that a rule or a plugin requires.
  if (asksEachTime && cause.kind === "tool") {
    return `no approver reachable, and no setting allows this call. ${description} Send the message from a client where a person can approve`;
  }
  if (cause.kind !== "tool")
    return `${reason}. Send the message from a client where a person can approve`;
  const setting = `"tools": { "approval": { "${toolName}": "never" } } in openclaw.json`;
  return need === "always"
    ? `${reason}. The operator can allow it with ${setting}`
    : `${reason}. The operator can allow it with --approve-tool ${toolName}, or with ${setting}${limitOf(toolName)}`;
}

/** Returns the limit of the settings, so that the operator does not try one without effect. */
function limitOf(toolName: string): string {
  return toolName === COMMAND_TOOL
    ? `, if the command is literal (docs/use/command-rules.md), or any command with --approve-tool ${COMMAND_TOOL}=any`
    : "";
}
