import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { DatabaseError } from "pg";
import { RowConstraintError, StoreUnavailableError, type UnavailableReason } from "../../errors.js";

/** Reasons by SQLSTATE, or by the prefix that names its class; the first match counts. */
const UNAVAILABLE: readonly (readonly [state: string, reason: UnavailableReason])[] = [
  ["28", "access-denied"],
  ["42501", "access-denied"],
  ["3D000", "missing-database"],
  ["25006", "standby"],
  ["53100", "full"],
  ["53", "busy"],
  ["55P03", "busy"],
  ["40", "busy"],
  ["58", "input-output"],
  ["XX", "corrupt"],
];
/** Integrity constraint violations, and values that do not have the type of their column. */
const REFUSED_VALUE = /^2[23]/;
const FOREIGN_KEY = "23503";
/** Excludes protocol violation 08P01, which is a statement that does not match its parameters. */
const CONNECTION_LOST = /^(?:08(?!P01)|57P)/;

/**
 * Converts an error of the server to a store error; returns any other error unchanged.
 * @param name - the database, for the message
 * @param error - the error of the client
 */
export function translatePostgresError(name: string, error: unknown): unknown {
  if (isConnectionLost(error)) {
    const detail = stateOf(error) ?? systemCodeOf(error);
    return new StoreUnavailableError(name, "unreachable", {
      detail,
      cause: error,
    });
  }
  const state = stateOf(error);
  if (state === undefined || !(error instanceof Error)) return error;
  const known = UNAVAILABLE.find(([prefix]) => state.startsWith(prefix));
  if (known !== undefined) {
    return new StoreUnavailableError(name, known[1], { detail: state, cause: error });
  }
  if (!REFUSED_VALUE.test(state)) return error;
  return new RowConstraintError(
    state === FOREIGN_KEY ? "foreign-key" : "other",
    error.message,
    error,
  );
}

/**
 * Returns true for an error that means a lost connection, as opposed to a rejected statement. Any error
 * counts that is neither a response of the server nor one of the store's errors.
 * @param error - the error of the client
 */
export function isConnectionLost(error: unknown): boolean {
  const state = stateOf(error);
  if (state !== undefined) return CONNECTION_LOST.test(state);
  return error instanceof Error && !OpenClawError.isInstance(error);
}

function stateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
