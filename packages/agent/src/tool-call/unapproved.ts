import type { NewCallVerdict } from "@openclaw/approval-broker";
import type { RequestedCall } from "../context/call.js";
import type { RunningTurn } from "../context/turn.js";

/**
 * Notes a call that was denied although no approver decided about it: no approver was reachable, or none decided in time
 * (TURN-460).
 * @param verdict - verdict for the call or for its output
 * @param call - the call
 * @param turn - the running turn
 */
export function noteUndecided(
  verdict: NewCallVerdict,
  { toolCallId, toolName }: Pick<RequestedCall, "toolCallId" | "toolName">,
  { state }: Pick<RunningTurn, "state">,
): void {
  if (verdict.status === "denied" && verdict.isUndecided === true) {
    state.unapproved.set(toolCallId, toolName);
  }
}

/**
 * Returns the names of the tools of which a call was denied because no approver decided about it, each once.
 * @param turn - the turn at its end
 * @returns undefined when there is none
 */
export function unapprovedTools({
  state,
}: Pick<RunningTurn, "state">): readonly string[] | undefined {
  const names = [...new Set(state.unapproved.values())];
  return names.length === 0 ? undefined : names;
}
