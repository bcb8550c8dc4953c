/** Codes of failed calls, the same over WebSocket and HTTP (GW-021). */
export const WIRE_ERROR_CODES = [
  "INVALID_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "RATE_LIMITED",
  "PAYLOAD_TOO_LARGE",
  "IDEMPOTENCY_MISMATCH",
  "UNAVAILABLE",
  "TIMEOUT",
  "UNSUPPORTED_PROTOCOL",
  "INTERNAL",
] as const;

/** Code of a failed call. */
export type WireErrorCode = (typeof WIRE_ERROR_CODES)[number];
