import { setImmediate as nextRound } from "node:timers/promises";
import { isMalformedToolCall, type MalformedToolCall } from "@openclaw/models";
import type { Approval } from "@openclaw/store/decisions";
import type { AnsweredCall } from "../context/call.js";
import type { ModelReply } from "../journal/model-reply.js";
import { type CalledTool, callTool, type ToolCallDependencies } from "./pipeline.js";
import type { ToolCallScope } from "./scope.js";

/** Dependencies of {@link callTools}. */
export type ToolBatchDependencies = ToolCallDependencies & {
  /** Maximum number of calls of parallel-safe tools that run together, `tools.maxParallel`. */
  readonly maxParallelCalls: number;
};

/** The state of the calls of a reply: all answered, or one that waits for an approval. */
export type CalledTools =
  | { readonly status: "answered"; readonly answers: readonly AnsweredCall[] }
  | { readonly status: "pending"; readonly approval: Approval };

/**
 * Answers all calls of a reply, in their order. Calls run one after another, but neighbouring calls of
 * parallel-safe tools run together (TURN-040).
 * @param reply - reply of the model with its calls
 * @param scope - the turn's tools and rules
 * @returns one answer per call, also when the turn is interrupted meanwhile; or the first pending approval
 *   request, once the calls that run in parallel have ended
 */
export async function callTools(
  { calls }: ModelReply,
  scope: ToolCallScope<ToolBatchDependencies>,
): Promise<CalledTools> {
  const { maxParallelCalls, now } = scope.turn.dependencies;
  const answers: AnsweredCall[] = [];
  const isParallelSafe = (index: number) => {
    const call = calls[index];
    return call !== undefined && scope.tools.get(call.toolName)?.tool.parallelSafe === true;
  };
  for (let start = 0; start < calls.length; ) {
    let end = start + 1;
    // Yields between calls so that their work does not block the event loop as one long task.
    await nextRound();
    while (isParallelSafe(start) && isParallelSafe(end) && end - start < maxParallelCalls) end++;
    const batch = calls
      .slice(start, end)
      .map((call) =>
        isMalformedToolCall(call) ? malformedAnswer(call, now()) : callTool(call, scope),
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
  timestamp: number,
): CalledTool {
  const content = [{ type: "text" as const, text: problem }];
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
