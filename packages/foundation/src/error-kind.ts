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

/** HTTP status of a failed request. */
export type ErrorHttpStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 504;

/** Exit code of a process that ends with an error (GW-044). */
export type ErrorExitCode = 1 | 2 | 3 | 4 | 69 | 75 | 77 | 78;

/** Codes of an error kind on each surface. */
export interface ErrorKindMapping {
  readonly httpStatus: ErrorHttpStatus;
  /** Code in the error frames of the gateway's wire protocol (GW-021). */
  readonly wireCode: string;
  /** Exit code of the command line (GW-044). */
  readonly exitCode: ErrorExitCode;
}

/** Table from which HTTP status, wire code and exit code follow. */
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
  // 69 is reserved for an unreachable gateway, which scripts then start (GW-044).
  unavailable: { httpStatus: 503, wireCode: "UNAVAILABLE", exitCode: 1 },
  configuration: { httpStatus: 409, wireCode: "CONFLICT", exitCode: 78 },
  internal: { httpStatus: 500, wireCode: "INTERNAL", exitCode: 1 },
};

/**
 * Returns true for the name of an error kind.
 * @param value - value to check, for example the `kind` of an error from the wire
 */
export function isErrorKind(value: unknown): value is ErrorKind {
  return typeof value === "string" && Object.hasOwn(ERROR_KINDS, value);
}

/**
 * Returns the first kind with an HTTP status; undefined for a status that no kind has.
 * @param status - HTTP status, for example 404
 */
export function kindOfHttpStatus(status: number): ErrorKind | undefined {
  const kinds = Object.keys(ERROR_KINDS).filter(isErrorKind);
  return kinds.find((kind) => ERROR_KINDS[kind].httpStatus === status);
}
