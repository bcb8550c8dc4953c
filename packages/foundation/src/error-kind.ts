/** Category of an error. Surfaces derive their status from it, so that one error means the same everywhere. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "busy"
  | "too-large"
  | "rate-limited"
  | "timeout"
  | "unavailable"
  | "configuration"
  | "internal";

/** What an error kind becomes on each surface. */
export interface ErrorKindMapping {
  readonly httpStatus: number;
  /** Code in the error frames of the gateway's wire protocol (GW-021). */
  readonly wireCode: string;
  /** Exit code of the command line (GW-044). */
  readonly exitCode: number;
}

/** The one table from which HTTP status, wire code and exit code follow. */
export const ERROR_KINDS: { readonly [Kind in ErrorKind]: ErrorKindMapping } = {
  invalid: { httpStatus: 400, wireCode: "INVALID_REQUEST", exitCode: 2 },
  unauthenticated: { httpStatus: 401, wireCode: "UNAUTHORIZED", exitCode: 77 },
  forbidden: { httpStatus: 403, wireCode: "FORBIDDEN", exitCode: 77 },
  "not-found": { httpStatus: 404, wireCode: "NOT_FOUND", exitCode: 4 },
  conflict: { httpStatus: 409, wireCode: "CONFLICT", exitCode: 3 },
  busy: { httpStatus: 409, wireCode: "CONFLICT", exitCode: 75 },
  "too-large": { httpStatus: 413, wireCode: "PAYLOAD_TOO_LARGE", exitCode: 2 },
  "rate-limited": { httpStatus: 429, wireCode: "RATE_LIMITED", exitCode: 75 },
  timeout: { httpStatus: 504, wireCode: "TIMEOUT", exitCode: 1 },
  unavailable: { httpStatus: 503, wireCode: "UNAVAILABLE", exitCode: 69 },
  configuration: { httpStatus: 409, wireCode: "CONFLICT", exitCode: 78 },
  internal: { httpStatus: 500, wireCode: "INTERNAL", exitCode: 1 },
};

/**
 * Checks whether a value names an error kind.
 * @param value - for example the `kind` of an error that came over the wire
 */
export function isErrorKind(value: unknown): value is ErrorKind {
  return typeof value === "string" && Object.hasOwn(ERROR_KINDS, value);
}
