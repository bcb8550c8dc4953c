import { stepTrace } from "@openclaw/agent";
import type { TraceSegment, Turn } from "@openclaw/store";
import { messageTrace } from "./trace.js";

/** Run and its span in the trace of its message. */
export type TracedRun = Pick<TraceSegment, "runId" | "traceId" | "spanId">;

/**
 * Returns the span of a run in the trace of the message that it answers; it never changes for a run.
 * @param turn - stored turn
 */
export function tracedRun({ runId, inboxId }: Pick<Turn, "runId" | "inboxId">): TracedRun {
  const { traceId, spanId } = stepTrace(messageTrace(inboxId), runId);
  return { runId, traceId, spanId };
}
