import { randomBytes } from "node:crypto";
import type { HookTrace, TracedContext } from "@openclaw/plugin-sdk/hooks";

/** The trace fields that hooks see. */
export type TraceFields = Pick<TracedContext, "trace" | "traceId" | "spanId" | "parentSpanId">;

/** Begins the trace of a message, with ids in the hexadecimal forms of W3C trace context. */
export function beginTrace(): TraceFields {
  return fieldsOf({ traceId: randomBytes(16).toString("hex"), spanId: newSpanId() });
}

/**
 * A step below another in the same trace.
 * @param parent - what the step is part of
 */
export function childSpan({ trace }: TraceFields): TraceFields {
  if (trace === undefined) return beginTrace();
  return fieldsOf({ ...trace, spanId: newSpanId(), parentSpanId: trace.spanId });
}

function newSpanId(): string {
  return randomBytes(8).toString("hex");
}

function fieldsOf(trace: HookTrace): TraceFields {
  const { traceId, spanId, parentSpanId } = trace;
  return { trace, traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }) };
}
