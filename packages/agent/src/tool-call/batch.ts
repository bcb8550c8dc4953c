import { isMalformedToolCall, type MalformedToolCall } from "@openclaw/models";
import type { Approval } from "@openclaw/store/decisions";
import type { ModelReply } from "../turn/model-call.js";
import type { ToolCallScope } from "./authorize.js";
import { type AnsweredCall, type CalledTool, callTool } from "./pipeline.js";

/** What came of the calls of a reply: all their answers, or a question that they wait for. */
export type CalledTools =
  | { readonly status: "answered"; readonly answers: readonly AnsweredCall[] }
  | { readonly status: "pending"; readonly approval: Approval };

/**
 * Answers all calls of a reply, in their order. Calls run one after another, but neighbouring calls of
 * parallel-safe tools run together (TURN-040).
 * @param reply - what the model asked for
 * @param scope - the turn's tools and rules
 * @returns one answer per call, also when the turn is interrupted on the way; or the first question that
 *   waits, once the calls that run beside it have ended
 */
export async function callTools({ calls }: ModelReply, scope: ToolCallScope): Promise<CalledTools> {
  const { maxParallelCalls } = scope.turn.services;
  const answers: AnsweredCall[] = [];
  const isParallelSafe = (index: number) => {
    const call = calls[index];
    return call !== undefined && scope.tools.get(call.toolName)?.tool.parallelSafe === true;
  };
  for (let start = 0; start < calls.length; ) {
    let end = start + 1;
    while (isParallelSafe(start) && isParallelSafe(end) && end - start < maxParallelCalls) end++;
    const batch = calls
      .slice(start, end)
      .map((call) =>
        isMalformedToolCall(call) ? malformedAnswer(call, scope) : callTool(call, scope),
      );
    for (const called of await Promise.all(batch)) {
      if (called.status === "pending") return called;
      answers.push(called.answer);
    }
    start = end;
  }
  return { status: "answered", answers };
}

function malformedAnswer(
  { toolCallId, toolName, problem }: MalformedToolCall,
  { turn }: ToolCallScope,
): CalledTool {
  const content = [{ type: "text" as const, text: problem }];
  const timestamp = turn.services.now();
  const message = {
    role: "toolResult" as const,
    toolCallId,
    toolName,
    isError: true,
    content,
    timestamp,
  };
  return { status: "answered", answer: { message, isSynthetic: true, terminate: false } };
}
