import { defined, startOfText } from "@openclaw/foundation";
import type { JsonValue, TextPart, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { OutputOptions } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type { NewPolicyDecision } from "@openclaw/store/decisions";
import type { AnsweredCall, Guidance, RequestedCall } from "../context/call.js";
import type { RunningTurn } from "../context/turn.js";
import type { Admitted, RefusedCall } from "./authorization.js";
import { type ExecutionDependencies, notifyExecution, type ToolExecution } from "./execution.js";
import { previewOf } from "./result.js";
import { guardRefusal } from "./result-safety.js";

/** Maximum length of the guidance in one answer, over all plugins, in characters (TURN-035). */
const MAXIMUM_GUIDANCE = 4000;

/** Largest `details` sent to a client, in bytes of JSON (TURN-043). */
const MAXIMUM_SHOWN_BYTES = 256 * 1024;

/** Failures whose text is by the host and not by the tool, as the answer names them. */
const SYNTHETIC = new Map<string, "timed-out" | "interrupted" | "outcome-unknown">([
  ["timeout", "timed-out"],
  ["aborted", "interrupted"],
  ["outcome-unknown", "outcome-unknown"],
]);

/** Dependencies of {@link answerRefused} and {@link answerExecuted}. */
export interface AnswerDependencies {
  /** Rules and limits of the safety engine, `safety`. */
  readonly safety: OutputOptions;
  readonly store: Store;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Records that a call does not run, and returns the answer with the reason.
 * @param denial - the reason
 * @param decisions - policy decisions that are not stored yet
 */
export async function answerRefused(
  call: RequestedCall,
  denial: RefusedCall,
  turn: RunningTurn<AnswerDependencies>,
  decisions: readonly NewPolicyDecision[],
) {
  const { request, dependencies } = turn;
  const { toolCallId, toolName } = call;
  const { refusal, policy, text, guidance, reconsidered } = denial;
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
  const advice = guidanceParts(guidance);
  const content = [...reason, ...advice];
  request.onEvent({
    type: "tool-finished",
    toolCallId,
    toolName,
    outcome: "refused",
    preview: previewOf({ content }),
    durationMs: 0,
    ...defined({ policy: request.origin.senderIsOwner ? policy : undefined }),
  });
  const message = {
    content,
    isError: true,
    failure: "refused" as const,
    ...defined({ guidanceParts: advice.length === 0 ? undefined : advice.length }),
  };
  const rest = {
    isSynthetic: true,
    terminate: false,
    reconsidered,
    refusal: refusal && { ...refusal, decisionId: policy?.decisionId },
  };
  return answerTo(call, message, dependencies.now(), rest);
}

/**
 * Reports a call that ran to hooks and clients, and returns its answer.
 * @param admitted - its final arguments and guidance
 * @param execution - its result as the model receives it
 */
export function answerExecuted(
  call: RequestedCall,
  { params, guidance }: Pick<Admitted, "params" | "guidance">,
  execution: ToolExecution,
  turn: RunningTurn<ExecutionDependencies & Pick<AnswerDependencies, "now">>,
): AnsweredCall {
  const { toolCallId, toolName } = call;
  const { result, failure, durationMs, remarks } = execution;
  notifyExecution(call, params, execution, turn);
  const { details } = result;
  const isShown = details !== undefined && jsonBytes(details) <= MAXIMUM_SHOWN_BYTES;
  const stopped = failure && SYNTHETIC.get(failure.kind);
  turn.request.onEvent({
    type: "tool-finished",
    toolCallId,
    toolName,
    outcome: failure === undefined ? "ok" : "error",
    preview: previewOf(result),
    durationMs,
    ...defined({
      failure: stopped,
      safety: remarks.length === 0 ? undefined : remarks,
      details: isShown ? details : undefined,
    }),
  });
  const advice = guidanceParts(guidance);
  const message = {
    content: [...result.content, ...advice],
    isError: failure !== undefined,
    ...defined({
      failure: stopped,
      guidanceParts: advice.length === 0 ? undefined : advice.length,
      details,
      cost: result.cost,
    }),
  };
  return answerTo(call, message, turn.dependencies.now(), {
    isSynthetic: stopped !== undefined,
    terminate: result.terminate === true,
  });
}

function answerTo(
  { toolCallId, toolName }: RequestedCall,
  message: Omit<ToolResultMessage, "role" | "toolCallId" | "toolName" | "timestamp">,
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
    const kept = startOfText(text, left);
    left -= kept.length;
    if (kept !== "") parts.push(textPart(`[Guidance of plugin "${pluginId}"]\n${kept}`));
  }
  return parts;
}
