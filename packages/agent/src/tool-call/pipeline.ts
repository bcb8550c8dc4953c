import { ApprovalMismatchError } from "@openclaw/approval-broker";
import type {
  JsonObject,
  JsonValue,
  TextPart,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import type { WaitingCall } from "@openclaw/store";
import type { Approval, NewPolicyDecision } from "@openclaw/store/decisions";
import type { TurnScope } from "../context/scope.js";
import { isSuspended } from "../context/suspension.js";
import { journalAnswer, journalDecision, journalIntent } from "../journal/journal.js";
import type { StepOf } from "../journal/steps.js";
import {
  type Admitted,
  type Guidance,
  INTERRUPTED,
  type Judgement,
  judgeAnsweredCall,
  judgeFinalCall,
  judgeToolCall,
  type RequestedCall,
  type ToolCallScope,
} from "./authorize.js";
import { executeTool } from "./execution.js";
import { CallPolicy } from "./policy.js";
import { previewOf } from "./result.js";

/** Longest guidance with one answer, over all plugins, in characters (TURN-035). */
const MAXIMUM_GUIDANCE = 4000;

const OUTCOME_UNKNOWN: Judgement = {
  verdict: "refused",
  text: "interrupted: outcome unknown. The host ended while the tool ran, which may or may not have done its work; find out before you call it again.",
  guidance: [],
};

/** Largest `details` a client is shown, in bytes of JSON (TURN-043). */
const MAXIMUM_SHOWN_BYTES = 256 * 1024;

/** The answer to a call, ready for the transcript. */
export interface AnsweredCall {
  readonly message: ToolResultMessage;
  /** True when the host made the answer and the tool did not run to its end. */
  readonly isSynthetic: boolean;
  /** True ends the model loop after this batch. */
  readonly terminate: boolean;
  /** Set when the call was returned to be reconsidered; names it. */
  readonly reconsidered?: string;
  /** How many parts at its end are guidance; none when absent. */
  readonly guidanceParts?: number;
}

/** What came of a call: its answer, or a question that it waits for. */
export type CalledTool =
  | { readonly status: "answered"; readonly answer: AnsweredCall }
  | { readonly status: "pending"; readonly approval: Approval };

/**
 * The one path every tool call takes, whatever its tool: judge, run, answer (TURN-031). It never
 * throws for what a model, tool or plugin did; the answer says it. Intent and answer are journaled
 * before anything follows them; a call that was answered before keeps its answer (TURN-054), and one that
 * a person was asked about goes on where it waits (APPR-017).
 * @param call - as the model asked for it
 * @param scope - the turn's tools and rules
 * @throws TurnSuspendedError when the host ends before the call has an answer
 */
export async function callTool(call: RequestedCall, scope: ToolCallScope): Promise<CalledTool> {
  const { turn } = scope;
  const { toolCallId, toolName } = call;
  const earlier = turn.record.takeCall(toolCallId);
  if (earlier?.answer !== undefined) return answered(restoreAnswer(earlier.answer, turn));
  const waiting = earlier?.waiting;
  if (waiting === undefined) {
    turn.request.onEvent({ type: "tool-started", toolCallId, toolName, params: call.params });
  }
  const policy = new CallPolicy(call, scope);
  const judgement =
    earlier?.params === undefined
      ? await judgeAndIntend(call, waiting, scope, policy)
      : await judgeAgain(call, earlier.params, earlier.guidance, scope, policy);
  if (judgement.verdict === "pending") return { status: "pending", approval: judgement.approval };
  const answer =
    judgement.verdict === "refused"
      ? await refuse(call, judgement, turn, policy.takeDecisions())
      : await run(call, judgement, turn);
  // What the end of the host makes of it is no answer: the call is looked at again when the turn goes on.
  if (answer.isSynthetic && isSuspended(turn.request.signal)) throw turn.request.signal.reason;
  await journalAnswer(turn, answer);
  return answered(answer);
}

function answered(answer: AnsweredCall): CalledTool {
  return { status: "answered", answer };
}

async function judgeAndIntend(
  call: RequestedCall,
  waiting: WaitingCall | undefined,
  scope: ToolCallScope,
  policy: CallPolicy,
): Promise<Judgement> {
  const { turn } = scope;
  const judged =
    waiting === undefined
      ? await judgeToolCall(call, scope, policy)
      : await judgeAnsweredCall(call, waiting, scope, policy);
  if (turn.request.signal.aborted) {
    if (judged.verdict === "pending") await callOff(turn);
    return INTERRUPTED;
  }
  if (judged.verdict === "pending") return judged;
  if (waiting !== undefined) await journalDecision(turn, call, waiting.approvalId);
  if (judged.verdict === "refused") return judged;
  try {
    await journalIntent(turn, call, judged, policy.takeDecisions());
  } catch (error) {
    if (!ApprovalMismatchError.isInstance(error)) throw error;
    const text = `Tool call denied: ${error.message}`;
    const refusal = { kind: "denied", decider: "approval" } as const;
    return { verdict: "refused", text, guidance: judged.guidance, refusal };
  }
  return turn.request.signal.aborted ? INTERRUPTED : judged;
}

/** Nobody is to answer for a turn that was interrupted; one that its host's end cuts off goes on waiting. */
async function callOff({ request, services }: TurnScope): Promise<void> {
  if (isSuspended(request.signal)) return;
  await services.approvals.cancelFor({ runId: request.runId }, "interrupt");
}

/** A call that may have run: only a tool that says so bears running twice (TURN-055). */
async function judgeAgain(
  call: RequestedCall,
  params: JsonObject,
  guidance: readonly Guidance[],
  scope: ToolCallScope,
  policy: CallPolicy,
): Promise<Judgement> {
  const isIdempotent = scope.tools.get(call.toolName)?.tool.idempotent === true;
  const judged = isIdempotent ? await judgeFinalCall(call, params, scope, policy) : OUTCOME_UNKNOWN;
  return judged.verdict === "pending" ? judged : { ...judged, guidance };
}

function restoreAnswer(
  { message, isSynthetic, terminate, skillTools }: StepOf<"tool-answered">,
  turn: TurnScope,
): AnsweredCall {
  if (skillTools !== undefined) turn.skillTools = new Set(skillTools);
  return { message, isSynthetic, terminate };
}

type Refused = Extract<Judgement, { verdict: "refused" }>;

async function refuse(
  call: RequestedCall,
  refused: Refused,
  turn: TurnScope,
  decisions: readonly NewPolicyDecision[],
) {
  const { request, services } = turn;
  const { toolCallId, toolName } = call;
  const { refusal, policy, text, guidance, reconsidered } = refused;
  const { runId, sessionKey } = request;
  if (refusal !== undefined || decisions.length > 0) {
    await services.store.transaction(async (unit) => {
      await unit.policyDecisions.add(decisions);
      if (refusal === undefined) return;
      const { decider } = refusal;
      await unit.toolAudit.add({ runId, sessionKey, toolCallId, tool: toolName, decider });
    });
  }
  if (refusal?.kind === "denied") {
    const { decider } = refusal;
    request.onEvent({ type: "tool-blocked", toolCallId, toolName, decider });
  }
  const content = [textPart(text), ...guidanceParts(guidance)];
  request.onEvent({
    type: "tool-finished",
    toolCallId,
    toolName,
    outcome: "refused",
    preview: previewOf({ content }),
    durationMs: 0,
    ...(policy === undefined || !request.origin.senderIsOwner ? {} : { policy }),
  });
  return answerTo(
    call,
    turn,
    { content, isError: true },
    {
      isSynthetic: true,
      terminate: false,
      ...(reconsidered === undefined ? {} : { reconsidered }),
    },
  );
}

async function run(
  call: RequestedCall,
  { entry, guidance, ...admitted }: Admitted,
  turn: TurnScope,
) {
  const { toolCallId, toolName } = call;
  const { result, failure, durationMs, remarks } = await executeTool(call, entry, admitted, turn);
  const { details } = result;
  const shown =
    details === undefined || jsonBytes(details) > MAXIMUM_SHOWN_BYTES ? {} : { details };
  turn.request.onEvent({
    type: "tool-finished",
    toolCallId,
    toolName,
    outcome: failure === undefined ? "ok" : "error",
    preview: previewOf(result),
    durationMs,
    ...(remarks.length === 0 ? {} : { safety: remarks }),
    ...shown,
  });
  const advice = guidanceParts(guidance);
  const message = {
    content: [...result.content, ...advice],
    isError: failure !== undefined,
    ...(details === undefined ? {} : { details }),
  };
  return answerTo(call, turn, message, {
    isSynthetic: failure?.kind === "timeout" || failure?.kind === "aborted",
    terminate: result.terminate === true,
    ...(advice.length === 0 ? {} : { guidanceParts: advice.length }),
  });
}

function answerTo(
  { toolCallId, toolName }: RequestedCall,
  { services }: TurnScope,
  message: Pick<ToolResultMessage, "content" | "isError" | "details">,
  rest: Omit<AnsweredCall, "message">,
): AnsweredCall {
  const timestamp = services.now();
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
