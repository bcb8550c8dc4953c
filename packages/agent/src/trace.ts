import { randomBytes } from "node:crypto";
import { defined, sha256 } from "@openclaw/foundation";
import type { HookTrace } from "@openclaw/plugin-sdk/hooks";

/** The trace of a turn, in the hex forms of W3C trace context. */
export function newTrace(): HookTrace {
  return { traceId: randomBytes(16).toString("hex"), spanId: randomBytes(8).toString("hex") };
}

/**
 * The trace of a step below another; always the same for the same step.
 * @param parent - of the step around it
 * @param step - what tells it from its neighbours, for example the id of a tool call
 */
export function stepTrace({ traceId, spanId, sampled }: HookTrace, step: string): HookTrace {
  return {
    traceId,
    spanId: sha256(`${spanId} ${step}`).slice(0, 16),
    parentSpanId: spanId,
    ...defined({ sampled }),
  };
}

/**
 * The fields of a hook's context that tell a trace.
 * @param trace - of the step at which the hook fires
 */
export function traceFields(trace: HookTrace): { trace: HookTrace } & HookTrace {
  const { traceId, spanId, parentSpanId } = trace;
  return { trace, traceId, spanId, ...defined({ parentSpanId }) };
}
