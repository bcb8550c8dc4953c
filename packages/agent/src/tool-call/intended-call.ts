import { type ApprovalBroker, ApprovalMismatchError } from "@openclaw/approval-broker";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { WaitingCall } from "@openclaw/store";
import type { Guidance, RequestedCall } from "../context/call.js";
import { isSuspended } from "../context/suspension.js";
import type { ToolCallScope } from "../context/tool-call-scope.js";
import type { RunningTurn } from "../context/turn.js";
import { type IntentDependencies, journalDecision, journalIntent } from "../journal/journal.js";
import { type Authorization, INTERRUPTED } from "./authorization.js";
import {
  type AnsweredCallDependencies,
  authorizeAnsweredCall,
  authorizeFinalCall,
  authorizeToolCall,
  type FinalCallDependencies,
  type NewCallDependencies,
} from "./authorize.js";
import type { CallPolicy } from "./policy.js";

/** Dependencies of the authorization of a call that is new, or waits for an approval. */
export type AuthorizationDependencies = NewCallDependencies &
  AnsweredCallDependencies &
  IntentDependencies & {
    readonly approvals: Pick<ApprovalBroker, "cancelFor">;
  };

/** Authorizes a call that is new, or waits for an approval, and journals that it is about to run. */
export async function authorizeAndIntend(
  call: RequestedCall,
  waiting: WaitingCall | undefined,
  scope: ToolCallScope<AuthorizationDependencies>,
  policy: CallPolicy,
): Promise<Authorization> {
  const { turn } = scope;
  const authorized =
    waiting === undefined
      ? await authorizeToolCall(call, scope, policy)
      : await authorizeAnsweredCall(call, waiting, scope, policy);
  if (turn.request.signal.aborted) {
    if (authorized.verdict === "pending") await cancelApprovals(turn);
    return INTERRUPTED;
  }
  if (authorized.verdict === "pending") return authorized;
  if (waiting !== undefined) await journalDecision(turn, call, waiting.approvalId);
  if (authorized.verdict === "refused") return authorized;
  try {
    await journalIntent(turn, call, authorized, policy.takeDecisions());
  } catch (error) {
    if (!ApprovalMismatchError.isInstance(error)) throw error;
    const text = `Tool call denied: ${error.message}`;
    const refusal = { kind: "denied", decider: "approval" } as const;
    return { verdict: "refused", text, guidance: authorized.guidance, refusal };
  }
  return turn.request.signal.aborted ? INTERRUPTED : authorized;
}

/** The approval requests of an interrupted turn are cancelled; those of a suspended turn stay pending. */
async function cancelApprovals({
  request,
  dependencies,
}: RunningTurn<Pick<AuthorizationDependencies, "approvals">>): Promise<void> {
  if (isSuspended(request.signal)) return;
  await dependencies.approvals.cancelFor({ runId: request.runId }, "interrupt");
}

/** Authorizes a call of an idempotent tool that runs again, with the arguments that it started with. */
export async function authorizeAgain(
  call: RequestedCall,
  params: JsonObject,
  guidance: readonly Guidance[],
  scope: ToolCallScope<FinalCallDependencies>,
  policy: CallPolicy,
): Promise<Authorization> {
  const authorized = await authorizeFinalCall(call, params, scope, policy);
  return authorized.verdict === "pending" ? authorized : { ...authorized, guidance };
}
