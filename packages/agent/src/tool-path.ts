import type { TextPart, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { SafetyRemark } from "./result-safety.js";
import { executeTool } from "./tool-execution.js";
import {
  type Guidance,
  INTERRUPTED,
  judgeToolCall,
  type RequestedCall,
  type ToolCallScope,
} from "./tool-judgement.js";
import { previewOf } from "./tool-result.js";
import type { PolicyRefusal } from "./turn-event.js";

/** Longest guidance with one answer, over all plugins, in characters (TURN-035). */
const MAXIMUM_GUIDANCE = 4000;

/** The answer to a call, ready for the transcript. */
export interface AnsweredCall {
  readonly message: ToolResultMessage;
  /** True when the host made the answer and the tool did not run to its end. */
  readonly isSynthetic: boolean;
  /** True ends the model loop after this batch. */
  readonly terminate: boolean;
}

/**
 * The one path every tool call takes, whatever its tool: judge, run, answer (TURN-031). It never
 * throws for what a model, tool or plugin did; the answer says it.
 * @param call - as the model asked for it
 * @param scope - the turn's tools and rules
 */
export async function callTool(call: RequestedCall, scope: ToolCallScope): Promise<AnsweredCall> {
  const { request, services } = scope.turn;
  const { toolCallId, toolName } = call;
  request.onEvent({ type: "tool-started", toolCallId, toolName, params: call.params });
  const finished = (
    outcome: "ok" | "error" | "refused",
    preview: string,
    durationMs: number,
    policy?: PolicyRefusal,
    remarks: readonly SafetyRemark[] = [],
  ) =>
    request.onEvent({
      type: "tool-finished",
      toolCallId,
      toolName,
      outcome,
      preview,
      durationMs,
      ...(policy === undefined || !request.origin.senderIsOwner ? {} : { policy }),
      ...(remarks.length === 0 ? {} : { safety: remarks }),
    });
  const answer = (message: Pick<ToolResultMessage, "content" | "isError" | "details">) => ({
    role: "toolResult" as const,
    toolCallId,
    toolName,
    ...message,
    timestamp: services.now(),
  });

  const judged = await judgeToolCall(call, scope);
  const judgement = request.signal.aborted ? INTERRUPTED : judged;
  if (judgement.verdict === "refused") {
    const content = [textPart(judgement.text), ...guidanceParts(judgement.guidance)];
    finished("refused", previewOf({ content }), 0, judgement.policy);
    return { message: answer({ content, isError: true }), isSynthetic: true, terminate: false };
  }

  const { entry, guidance } = judgement;
  const execution = await executeTool(call, entry, judgement, scope.turn);
  const { result, failure, durationMs, remarks } = execution;
  const outcome = failure === undefined ? "ok" : "error";
  finished(outcome, previewOf(result), durationMs, undefined, remarks);
  const { details } = result;
  const content = [...result.content, ...guidanceParts(guidance)];
  return {
    message: answer({
      content,
      isError: failure !== undefined,
      ...(details === undefined ? {} : { details }),
    }),
    isSynthetic: failure?.kind === "timeout" || failure?.kind === "aborted",
    terminate: result.terminate === true,
  };
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
