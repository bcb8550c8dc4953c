import { randomBytes } from "node:crypto";
import { defined, sha256 } from "@openclaw/foundation";
import type { HookTrace } from "@openclaw/plugin-sdk/hooks";

/** Creates the trace of a turn, in the hexadecimal format of W3C Trace Context. */
export function newTrace(): HookTrace {
  return { traceId: randomBytes(16).toString("hex"), spanId: randomBytes(8).toString("hex") };
}

/**
 * Returns the trace of a nested span; always the same for the same step.
 * @param parent - trace of the enclosing step
 * @param step - key of the step within its parent, for example the ID of a tool call
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
 * Returns the trace fields of a hook's context.
 * @param trace - trace of the step at which the hook fires
 */
export function traceFields(trace: HookTrace): { trace: HookTrace } & HookTrace {
  const { traceId, spanId, parentSpanId } = trace;
  return { trace, traceId, spanId, ...defined({ parentSpanId }) };
}
