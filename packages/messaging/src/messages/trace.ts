import { createHash } from "node:crypto";
import { defined, randomIdBytes } from "@openclaw/foundation";
import type { HookTrace, TracedContext } from "@openclaw/plugin-sdk/hooks";

/** Trace fields that hooks see. */
export type TraceFields = Pick<TracedContext, "trace" | "traceId" | "spanId" | "parentSpanId">;

/**
 * Returns the trace of a message, with IDs in the hexadecimal form of W3C trace context. The trace of a
 * message never changes, so that a later process continues it and a replay repeats it.
 * @param messageId - ID of its row in the inbox
 */
export function messageTrace(messageId: string): HookTrace {
  const digest = createHash("sha256").update(`openclaw trace of message ${messageId}`);
  const digits = digest.digest("hex");
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}

/**
 * Returns the trace fields for the hooks of a message.
 * @param messageId - ID of its row in the inbox
 */
export function beginTrace(messageId: string): TraceFields {
  return fieldsOf(messageTrace(messageId));
}

/**
 * Returns the fields of a span below another in the same trace.
 * @param parent - fields of the parent span
 */
export function childSpan({ trace }: TraceFields): TraceFields {
  if (trace === undefined) return {};
  return fieldsOf({ ...trace, spanId: newSpanId(), parentSpanId: trace.spanId });
}

function newSpanId(): string {
  return Buffer.from(randomIdBytes(8)).toString("hex");
}

function fieldsOf(trace: HookTrace): TraceFields {
  const { traceId, spanId, parentSpanId } = trace;
  return defined({ trace, traceId, spanId, parentSpanId });
}
