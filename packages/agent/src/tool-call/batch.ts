import { setImmediate as nextRound } from "node:timers/promises";
import { isMalformedToolCall } from "@openclaw/models";
import type { Approval } from "@openclaw/store/decisions";
import type { AnsweredCall, RequestedCall } from "../context/call.js";
import type { ClientCall } from "../context/client.js";
import type { ToolCallScope } from "../context/tool-call-scope.js";
import type { ModelReply } from "../journal/model-reply.js";
import { type CalledTool, callTool, type ToolCallDependencies } from "./pipeline.js";

/** Dependencies of {@link callTools}. */
export type ToolBatchDependencies = ToolCallDependencies & {
  /** Maximum number of calls of parallel-safe tools that run together, `tools.maxParallel`. */
  readonly maxParallelCalls: number;
};

const ONE_AT_A_TIME =
  "This call was not made: the client accepts one tool call at a time. Repeat the call when you have the result of the first one.";

/** The state of the calls of a reply: all answered or returned, or one that waits for an approval. */
export type CalledTools =
  | {
      readonly status: "answered";
      readonly answers: readonly AnsweredCall[];
      /** Calls that the client has to run. */
      readonly returned: readonly ClientCall[];
    }
  | { readonly status: "pending"; readonly approval: Approval };

/**
 * Answers all calls of a reply, in their order. Calls run one after another, each after the result of the one before is
 * stored, but neighbouring calls of parallel-safe tools run together (TURN-040, TURN-482).
 * @param reply - reply of the model with its calls
 * @param scope - the turn's tools and rules
 * @param store - stores an answer, before the next call runs
 * @returns one answer per call, also when the turn is interrupted meanwhile, except for the calls that the
 *   client has to run; or the first pending approval request, once the calls that run in parallel have ended
 */
export async function callTools(
  { calls }: ModelReply,
  scope: ToolCallScope<ToolBatchDependencies>,
  store: (answer: AnsweredCall) => Promise<void>,
): Promise<CalledTools> {
  const { maxParallelCalls, now } = scope.turn.dependencies;
  const answers: AnsweredCall[] = [];
  const returned: ClientCall[] = [];
  const isOneTooMany = ({ toolName }: RequestedCall) =>
    scope.turn.request.client?.parallelToolCalls === false &&
    returned.length > 0 &&
    scope.tools.get(toolName)?.kind === "client";
  const isParallelSafe = (index: number) => {
    const call = calls[index];
    return call !== undefined && scope.tools.get(call.toolName)?.tool.parallelSafe === true;
  };
  for (let start = 0; start < calls.length; ) {
    let end = start + 1;
    // Yields between calls so that their work does not block the event loop as one long task.
    await nextRound();
    while (isParallelSafe(start) && isParallelSafe(end) && end - start < maxParallelCalls) end++;
    const batch = calls.slice(start, end).map((call) => {
      if (isMalformedToolCall(call)) return notCalled(call, call.problem, now());
      return isOneTooMany(call) ? notCalled(call, ONE_AT_A_TIME, now()) : callTool(call, scope);
    });
    const ended = await Promise.all(batch);
    const pending = ended.find(({ status }) => status === "pending");
    if (pending?.status === "pending") return pending;
    for (const called of ended) {
      if (called.status === "returned") returned.push(called.call);
      else if (called.status === "answered") {
        answers.push(called.answer);
        await store(called.answer);
      }
    }
    start = end;
  }
  return { status: "answered", answers, returned };
}

function notCalled(
  { toolCallId, toolName }: Pick<RequestedCall, "toolCallId" | "toolName">,
  problem: string,
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
