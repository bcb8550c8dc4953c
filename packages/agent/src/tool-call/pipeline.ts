import { type ApprovalBroker, ApprovalMismatchError } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type {
  JsonObject,
  JsonValue,
  TextPart,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import type { OutputOptions } from "@openclaw/safety";
import type { Store, WaitingCall } from "@openclaw/store";
import type { Approval, NewPolicyDecision } from "@openclaw/store/decisions";
import type { AnsweredCall, Guidance, RequestedCall } from "../context/call.js";
import { isSuspended } from "../context/suspension.js";
import type { RunningTurn, TurnState } from "../context/turn.js";
import {
  type IntentDependencies,
  journalAnswer,
  journalDecision,
  journalIntent,
} from "../journal/journal.js";
import type { ResumeState } from "../journal/resume-state.js";
import type { StepOf } from "../journal/steps.js";
import {
  type Admitted,
  type Authorization,
  INTERRUPTED,
  type RefusedCall,
} from "./authorization.js";
import {
  type AnsweredCallDependencies,
  authorizeAnsweredCall,
  authorizeFinalCall,
  authorizeToolCall,
  type FinalCallDependencies,
  type NewCallDependencies,
} from "./authorize.js";
import { type ExecutionDependencies, executeTool } from "./execution.js";
import { CallPolicy, type CallPolicyDependencies } from "./policy.js";
import { previewOf } from "./result.js";
import { guardRefusal } from "./result-safety.js";
import type { ToolCallScope } from "./scope.js";

/** Maximum length of the guidance in one answer, over all plugins, in characters (TURN-035). */
const MAXIMUM_GUIDANCE = 4000;

const OUTCOME_UNKNOWN: Authorization = {
  verdict: "refused",
  text: "interrupted: outcome unknown. The host ended while the tool ran, which may or may not have done its work; find out before you call it again.",
  guidance: [],
};

/** Largest `details` sent to a client, in bytes of JSON (TURN-043). */
const MAXIMUM_SHOWN_BYTES = 256 * 1024;

/** Dependencies of the functions that make the answer of a call. */
interface AnswerDependencies {
  /** Rules and limits of the safety engine, `safety`. */
  readonly safety: OutputOptions;
  readonly store: Store;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Dependencies of the authorization of a call that is new, or waits for an approval. */
type AuthorizationDependencies = NewCallDependencies &
  AnsweredCallDependencies &
  IntentDependencies & {
    readonly approvals: Pick<ApprovalBroker, "cancelFor">;
  };

/** Dependencies of {@link callTool}. */
export type ToolCallDependencies = AuthorizationDependencies &
  CallPolicyDependencies &
  ExecutionDependencies &
  AnswerDependencies & {
    /** Calls that the run answered or started before. */
    readonly resumeState: Pick<ResumeState, "takeCall">;
  };

type Scope = ToolCallScope<ToolCallDependencies>;

/** The state of a call: answered, or waiting for an approval. */
export type CalledTool =
  | { readonly status: "answered"; readonly answer: AnsweredCall }
  | { readonly status: "pending"; readonly approval: Approval };

/**
 * Takes a tool call through the pipeline that all calls take: authorize, run, answer (TURN-031). It does not
 * throw for errors of a model, tool or plugin; they are in the answer. Intent and answer are journaled before
 * the next step; a call that was answered before keeps its answer (TURN-054), and a call that waits for an
 * approval continues there (APPR-017).
 * @param call - as the model requested it
 * @param scope - turn, tools and policy context
 * @throws TurnSuspendedError when the host stops before the call has an answer
 */
export async function callTool(call: RequestedCall, scope: Scope): Promise<CalledTool> {
  const { turn } = scope;
  const { toolCallId, toolName } = call;
  const earlier = turn.dependencies.resumeState.takeCall(toolCallId);
  if (earlier?.answer !== undefined) return answered(restoreAnswer(earlier.answer, turn.state));
  const waiting = earlier?.waiting;
  if (waiting === undefined) {
    turn.request.onEvent({ type: "tool-started", toolCallId, toolName, params: call.params });
  }
  const policy = new CallPolicy(call, scope);
  const authorization =
    earlier?.params === undefined
      ? await authorizeAndIntend(call, waiting, scope, policy)
      : await authorizeAgain(call, earlier.params, earlier.guidance, scope, policy);
  if (authorization.verdict === "pending")
    return { status: "pending", approval: authorization.approval };
  const answer =
    authorization.verdict === "refused"
      ? await refuse(call, authorization, turn, policy.takeDecisions())
      : await run(call, authorization, turn);
  // A result caused by the stop of the host is not an answer: the call is processed again when the turn
  // resumes.
  if (answer.isSynthetic && isSuspended(turn.request.signal)) throw turn.request.signal.reason;
  await journalAnswer(turn, answer);
  return answered(answer);
}

function answered(answer: AnsweredCall): CalledTool {
  return { status: "answered", answer };
}

async function authorizeAndIntend(
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

/** The call may already have run; only idempotent tools run again (TURN-055). */
async function authorizeAgain(
  call: RequestedCall,
  params: JsonObject,
  guidance: readonly Guidance[],
  scope: ToolCallScope<FinalCallDependencies>,
  policy: CallPolicy,
): Promise<Authorization> {
  const isIdempotent = scope.tools.get(call.toolName)?.tool.idempotent === true;
  const authorized = isIdempotent
    ? await authorizeFinalCall(call, params, scope, policy)
    : OUTCOME_UNKNOWN;
  return authorized.verdict === "pending" ? authorized : { ...authorized, guidance };
}

function restoreAnswer(
  { message, isSynthetic, terminate, skillTools }: StepOf<"tool-answered">,
  state: Pick<TurnState, "skillTools">,
): AnsweredCall {
  if (skillTools !== undefined) state.skillTools = new Set(skillTools);
  return { message, isSynthetic, terminate };
}

async function refuse(
  call: RequestedCall,
  refused: RefusedCall,
  turn: RunningTurn<AnswerDependencies>,
  decisions: readonly NewPolicyDecision[],
) {
  const { request, dependencies } = turn;
  const { toolCallId, toolName } = call;
  const { refusal, policy, text, guidance, reconsidered } = refused;
  const { runId, sessionKey } = request;
  if (refusal !== undefined || decisions.length > 0) {
    await dependencies.store.transaction(async (unit) => {
      await unit.decisions.policy.add(decisions);
      if (refusal === undefined) return;
      const { decider } = refusal;
      await unit.decisions.toolAuditLog.add({
        runId,
        sessionKey,
        toolCallId,
        tool: toolName,
        decider,
      });
    });
  }
  if (refusal?.kind === "denied") {
    const { decider } = refusal;
    request.onEvent({ type: "tool-blocked", toolCallId, toolName, decider });
  }
  const reason = guardRefusal(text, dependencies.safety);
  const content = [...reason, ...guidanceParts(guidance)];
  request.onEvent({
    type: "tool-finished",
    toolCallId,
    toolName,
    outcome: "refused",
    preview: previewOf({ content }),
    durationMs: 0,
    ...defined({ policy: request.origin.senderIsOwner ? policy : undefined }),
  });
  const message = { content, isError: true };
  const rest = { isSynthetic: true, terminate: false, reconsidered };
  return answerTo(call, message, dependencies.now(), rest);
}

async function run(
  call: RequestedCall,
  { entry, guidance, ...admitted }: Admitted,
  turn: RunningTurn<ExecutionDependencies & Pick<AnswerDependencies, "now">>,
) {
  const { toolCallId, toolName } = call;
  const { result, failure, durationMs, remarks } = await executeTool(call, entry, admitted, turn);
  const { details } = result;
  const isShown = details !== undefined && jsonBytes(details) <= MAXIMUM_SHOWN_BYTES;
  turn.request.onEvent({
    type: "tool-finished",
    toolCallId,
    toolName,
    outcome: failure === undefined ? "ok" : "error",
    preview: previewOf(result),
    durationMs,
    ...defined({
      safety: remarks.length === 0 ? undefined : remarks,
      details: isShown ? details : undefined,
    }),
  });
  const advice = guidanceParts(guidance);
  const message = {
    content: [...result.content, ...advice],
    isError: failure !== undefined,
    ...defined({ details }),
  };
  return answerTo(call, message, turn.dependencies.now(), {
    isSynthetic: failure?.kind === "timeout" || failure?.kind === "aborted",
    terminate: result.terminate === true,
    guidanceParts: advice.length === 0 ? undefined : advice.length,
  });
}

function answerTo(
  { toolCallId, toolName }: RequestedCall,
  message: Pick<ToolResultMessage, "content" | "isError" | "details">,
  timestamp: number,
  rest: Omit<AnsweredCall, "message">,
): AnsweredCall {
  return { message: { role: "toolResult", toolCallId, toolName, ...message, timestamp }, ...rest };
}

function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function textPart(text: string): TextPart {
  return { type: "text", text };
}

function guidanceParts(guidance: readonly Guidance[]): TextPart[] {
  let left = MAXIMUM_GUIDANCE;
  const parts: TextPart[] = [];
  for (const { pluginId, text } of guidance) {
    const kept = text.slice(0, left);
    left -= kept.length;
    if (kept !== "") parts.push(textPart(`[Guidance of plugin "${pluginId}"]\n${kept}`));
  }
  return parts;
}
