import { type OpenClawError, wireCodeOf } from "@openclaw/foundation";
import { ProtocolError } from "../registry/errors.js";
import type { WireError } from "./error.js";
import { WIRE_ERROR_CODES, type WireErrorCode } from "./error-code.js";

const RETRYABLE_KINDS: ReadonlySet<string> = new Set([
  "busy",
  "rate-limited",
  "timeout",
  "unavailable",
]);

/**
 * Returns an error in its form on the wire. It contains no stack and no cause.
 * @param error - an error that may be shown to the caller
 */
export function wireErrorOf(error: OpenClawError): WireError {
  const { code: reason, kind, message } = error;
  const body: WireError = {
    code: codeOf(error),
    reason,
    kind,
    message,
    retryable: RETRYABLE_KINDS.has(kind),
  };
  if (ProtocolError.isInstance(error)) {
    if (error.details !== undefined) body.details = { ...error.details };
    if (error.retryAfterMs !== undefined) body.retryAfterMs = error.retryAfterMs;
    if (error.retryable !== undefined) body.retryable = error.retryable;
  }
  return body;
}

function codeOf(error: OpenClawError): WireErrorCode {
  const code = wireCodeOf(error);
  return WIRE_ERROR_CODES.find((each) => each === code) ?? "INTERNAL";
}
