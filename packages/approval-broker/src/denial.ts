import type { Approval } from "@openclaw/store/decisions";
import { COMMAND_TOOL } from "./need.js";
import type { ApprovalRequest } from "./request.js";

/**
 * Why a call does not run that a person, or nobody, answered for (APPR-016).
 * @param approval - the question, settled and not allowed
 */
export function reasonToDeny({ state, createdAt, expiresAt, decidedBy }: Approval): string {
  switch (state) {
    case "timed-out":
      return `no answer within ${Math.round((expiresAt - createdAt) / 1000)} s`;
    case "cancelled":
      return `the question was called off (${decidedBy ?? "by the host"})`;
    default:
      return "by user";
  }
}

/**
 * Why a call does not run where nobody can be asked, and which settings would let it (APPR-031).
 * @param request - about the call
 */
export function reasonWithoutApprover({
  cause,
  pluginId,
  toolName,
  need,
}: ApprovalRequest): string {
  const wants = {
    tool: "it needs a person's approval",
    policy: "a rule of the tool policy wants a person's approval",
    safety: "a safety rule wants a person's approval",
    doubt: `plugin "${pluginId}" cannot tell what the command does, and wants a person's approval`,
    plugin: `plugin "${pluginId}" wants a person's approval`,
  };
  const reason = `no approver reachable: ${wants[cause.kind]} and nobody can be asked here`;
  // No setting takes the place of the answer that a rule or a plugin wants.
  if (cause.kind !== "tool") return `${reason}. Send the message from where a person can answer`;
  const setting = `"tools": { "approval": { "${toolName}": "never" } } in openclaw.json`;
  return need === "always"
    ? `${reason}. The operator can allow it with ${setting}`
    : `${reason}. The operator can allow it with --approve-tool ${toolName}, or with ${setting}${limitOf(toolName)}`;
}

/** Says what the settings do not cover, so that the operator is not sent to one without effect. */
function limitOf(toolName: string): string {
  return toolName === COMMAND_TOOL
    ? `, if it consists of literal words (docs/command-rules.md); any other command with --approve-tool ${COMMAND_TOOL}=any`
    : "";
}
