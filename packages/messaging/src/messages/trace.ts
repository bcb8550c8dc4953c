import { createHash, randomBytes } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type { HookTrace, TracedContext } from "@openclaw/plugin-sdk/hooks";

/** The trace fields that hooks see. */
export type TraceFields = Pick<TracedContext, "trace" | "traceId" | "spanId" | "parentSpanId">;

/**
 * The trace of a message, with ids in the hexadecimal forms of W3C trace context. The same message always
 * has the same one, so that a later process goes on with it, and a replay repeats it.
 * @param messageId - id of its row in the inbox
 */
export function messageTrace(messageId: string): HookTrace {
  const digest = createHash("sha256").update(`openclaw trace of message ${messageId}`);
  const digits = digest.digest("hex");
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}

/**
 * What the hooks around a message are told of its trace.
 * @param messageId - id of its row in the inbox
 */
export function beginTrace(messageId: string): TraceFields {
  return fieldsOf(messageTrace(messageId));
}

/**
 * A step below another in the same trace.
 * @param parent - what the step is part of
 */
export function childSpan({ trace }: TraceFields): TraceFields {
  if (trace === undefined) return {};
  return fieldsOf({ ...trace, spanId: newSpanId(), parentSpanId: trace.spanId });
}

function newSpanId(): string {
  return randomBytes(8).toString("hex");
}

function fieldsOf(trace: HookTrace): TraceFields {
  const { traceId, spanId, parentSpanId } = trace;
  return defined({ trace, traceId, spanId, parentSpanId });
}
