import type { NewCallVerdict } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { RequestedCall } from "../context/call.js";
import type { RunningTurn } from "../context/turn.js";

/** Tools of denied calls, each once; a list without tools is absent. */
export interface UnapprovedTools {
  /** No approver was reachable, or none decided in time (TURN-460). */
  readonly unapprovedTools?: readonly string[];
  /** An approver denied the call. */
  readonly deniedTools?: readonly string[];
}

/**
 * Notes a call that was denied because no approver decided about it, or by an approver (TURN-460).
 * @param verdict - verdict for the call or for its output
 */
export function noteUnapproved(
  verdict: NewCallVerdict,
  { toolCallId, toolName }: Pick<RequestedCall, "toolCallId" | "toolName">,
  { state }: Pick<RunningTurn, "state">,
): void {
  if (verdict.status !== "denied") return;
  const isRefused = verdict.isRefused === true;
  if (isRefused || verdict.isUndecided === true) {
    state.unapproved.set(toolCallId, { toolName, isRefused });
  }
}

/**
 * Returns the names of the tools of which a call was denied because no approver decided about it, and of those of which
 * an approver denied one.
 * @param turn - the turn at its end
 */
export function unapprovedTools({ state }: Pick<RunningTurn, "state">): UnapprovedTools {
  const namesOf = (isRefused: boolean) => {
    const calls = [...state.unapproved.values()].filter((call) => call.isRefused === isRefused);
    const names = [...new Set(calls.map(({ toolName }) => toolName))];
    return names.length === 0 ? undefined : names;
  };
  return defined({ unapprovedTools: namesOf(false), deniedTools: namesOf(true) });
}
