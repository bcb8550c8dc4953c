import { isMalformedToolCall, type MalformedToolCall } from "@openclaw/models";
import type { ModelReply } from "./model-call.js";
import type { ToolCallScope } from "./tool-judgement.js";
import { type AnsweredCall, callTool } from "./tool-path.js";

/**
 * Answers all calls of a reply, in their order. Calls run one after another, but neighbouring calls of
 * parallel-safe tools run together (TURN-040).
 * @param reply - what the model asked for
 * @param scope - the turn's tools and rules
 * @returns one answer per call, also when the turn is interrupted on the way
 */
export async function callTools(
  { calls }: ModelReply,
  scope: ToolCallScope,
): Promise<AnsweredCall[]> {
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
    answers.push(...(await Promise.all(batch)));
    start = end;
  }
  return answers;
}

function malformedAnswer(
  { toolCallId, toolName, problem }: MalformedToolCall,
  { turn }: ToolCallScope,
): AnsweredCall {
  const content = [{ type: "text" as const, text: problem }];
  const timestamp = turn.services.now();
  return {
    message: { role: "toolResult", toolCallId, toolName, isError: true, content, timestamp },
    isSynthetic: true,
    terminate: false,
  };
}
