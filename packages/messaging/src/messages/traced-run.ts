import { stepTrace } from "@openclaw/agent";
import type { TraceSegment, Turn } from "@openclaw/store";
import { messageTrace } from "./trace.js";

/** A run, and its place in the trace of its message. */
export type TracedRun = Pick<TraceSegment, "runId" | "traceId" | "spanId">;

/**
 * Where a run stands in the trace of the message that it answers; always the same for the same run.
 * @param turn - a stored turn
 */
export function tracedRun({ runId, inboxId }: Pick<Turn, "runId" | "inboxId">): TracedRun {
  const { traceId, spanId } = stepTrace(messageTrace(inboxId), runId);
  return { runId, traceId, spanId };
}
