import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";

/** Version of the envelope. */
const PROTOCOL_VERSION = 1;

/** Kinds of failures (LOB-008). */
export const FAILURE_TYPES = [
  "parse_error",
  "runtime_error",
  "timeout",
  "output_limit",
  "denied",
  "token_invalid",
  "token_expired",
  "token_consumed",
  "engine_crashed",
] as const;

/** Kind of a failure. */
export type FailureType = (typeof FAILURE_TYPES)[number];

/** Gate at which a run waits for a person. */
export interface RequiredApproval {
  readonly type: string;
  readonly prompt: string;
  /** At most 20 items and 8 KiB of JSON. */
  readonly items: readonly JsonValue[];
  /** Number of items before they were limited; absent when all are shown. */
  readonly itemCount?: number;
  readonly itemsTruncated?: true;
  readonly preview?: string;
  readonly resumeToken: string;
  /** Short code that stands for the token within the session. */
  readonly approvalId: string;
  /** Code of the approval request, with which a person decides. */
  readonly decideWith: string;
}

/** Input that a run needs from its caller. */
export interface RequiredInput {
  readonly prompt: string;
  readonly responseSchema: JsonValue;
  readonly defaults?: JsonValue;
  readonly subject?: JsonValue;
  readonly resumeToken: string;
  readonly approvalId: string;
}

/** Result of a run that did not fail (LOB-007). */
export interface SuccessEnvelope {
  readonly protocolVersion: 1;
  readonly ok: true;
  readonly status: "ok" | "needs_approval" | "needs_input" | "cancelled";
  readonly output: readonly JsonValue[];
  readonly requiresApproval: RequiredApproval | null;
  readonly requiresInput: RequiredInput | null;
  readonly warnings?: readonly string[];
}

/** Failure of a run (LOB-008). */
export interface FailureEnvelope {
  readonly protocolVersion: 1;
  readonly ok: false;
  readonly error: {
    readonly type: FailureType;
    readonly message: string;
    /** Step of the workflow, or command of the pipeline. */
    readonly step?: string;
  };
}

/** Result of the tool. */
export type Envelope = SuccessEnvelope | FailureEnvelope;

/**
 * Creates the result of a run that did not fail.
 * @param fields - status, and fields that differ from an empty result
 */
export function success(
  fields: Pick<SuccessEnvelope, "status"> & Partial<SuccessEnvelope>,
): SuccessEnvelope {
  return {
    protocolVersion: PROTOCOL_VERSION,
    ok: true,
    output: [],
    requiresApproval: null,
    requiresInput: null,
    ...fields,
  };
}

/**
 * Creates a failure.
 * @param type - kind of the failure
 * @param message - sentence with the failure, the expected value and the next step
 * @param step - step or command that failed
 */
export function failure(type: FailureType, message: string, step?: string): FailureEnvelope {
  const error = { type, message, ...defined({ step }) };
  return { protocolVersion: PROTOCOL_VERSION, ok: false, error };
}

/**
 * Adds warnings to a result.
 * @param envelope - result of a run
 * @param warnings - sentences; none leaves the result as it is
 */
export function withWarnings(envelope: Envelope, warnings: readonly string[]): Envelope {
  if (!envelope.ok || warnings.length === 0) return envelope;
  return { ...envelope, warnings: [...(envelope.warnings ?? []), ...warnings] };
}

/**
 * Returns an envelope as plain JSON, for `details` and for storage.
 * @param envelope - result of a run
 */
export function asJson(envelope: Envelope): JsonObject {
  return JSON.parse(JSON.stringify(envelope)) as JsonObject;
}
