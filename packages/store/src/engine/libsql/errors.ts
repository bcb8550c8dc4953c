import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { RowConstraintError, StoreUnavailableError, type UnavailableReason } from "../../errors.js";

/** Reasons by code of the engine; the first match counts. */
const UNAVAILABLE: readonly (readonly [code: RegExp, reason: UnavailableReason])[] = [
  [/^SQLITE_CANTOPEN/, "cannot-open"],
  [/^SQLITE_(?:PERM|READONLY)/, "read-only"],
  [/^SQLITE_FULL/, "full"],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, "corrupt"],
  [/^SQLITE_(?:BUSY|LOCKED)/, "busy"],
  [/^SQLITE_IOERR/, "input-output"],
  [/^AUTH_/, "access-denied"],
];
const CONSTRAINT = /^SQLITE_CONSTRAINT/;
/** A server sends the message, and not always the extended code. */
const FOREIGN_KEY = /foreign ?key/i;

/**
 * Converts an error of the client to a store error; returns any other error unchanged.
 * @param name - the database, for the message
 * @param error - the error of the client
 */
export function translateLibsqlError(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || OpenClawError.isInstance(error)) return error;
  const code = codeOf(error);
  if (code !== undefined && CONSTRAINT.test(code)) {
    const constraint = FOREIGN_KEY.test(`${code} ${error.message}`) ? "foreign-key" : "other";
    return new RowConstraintError(constraint, error.message, error);
  }
  const known = UNAVAILABLE.find(([pattern]) => pattern.test(code ?? ""));
  if (known !== undefined) {
    return new StoreUnavailableError(name, known[1], { detail: code, cause: error });
  }
  // Any other error of the engine is one of the statement.
  if (code?.startsWith("SQLITE_") === true || code?.startsWith("SQL_") === true) return error;
  const status = statusOf(error);
  const reason = reasonOf(status);
  const detail = status === undefined ? systemCodeOf(error) : `HTTP ${status}`;
  return new StoreUnavailableError(name, reason, { detail, cause: error });
}

/**
 * Returns true when another connection writes, so that the statement can be tried again.
 * @param error - an error of the client, or a store error
 */
export function isBusy(error: unknown): boolean {
  if (StoreUnavailableError.isInstance(error)) return error.reason === "busy";
  return error instanceof Error && /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error) ?? "");
}

/**
 * Returns true when a server did not answer, or not as one of libSQL does, so that it is not known what it did.
 * @param error - the error of the client
 */
export function isAnswerLost(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : undefined;
  return code === undefined || !/^SQL(?:ITE)?_/.test(code);
}

function reasonOf(status: number | undefined): UnavailableReason {
  if (status === 401 || status === 403) return "access-denied";
  if (status === 404) return "missing-database";
  return "unreachable";
}

/** Returns the most exact code of the engine; a driver of files does not know the newest of them. */
function codeOf(error: Error): string | undefined {
  const codes = ["extendedCode", "code"].map((name): unknown => Reflect.get(error, name));
  const isKnown = (code: unknown) => typeof code === "string" && !code.startsWith("UNKNOWN_");
  const found = codes.find(isKnown) ?? codes[0];
  return typeof found === "string" ? found : undefined;
}

function statusOf(error: unknown): number | undefined {
  for (let found = error; found instanceof Error; found = found.cause) {
    const status: unknown = Reflect.get(found, "status");
    if (typeof status === "number") return status;
  }
  return undefined;
}

function systemCodeOf(error: unknown): string | undefined {
  let last: string | undefined;
  for (let found = error; found instanceof Error; found = found.cause) {
    const code: unknown = Reflect.get(found, "code");
    if (typeof code === "string") last = code;
    else if (found.name === "TimeoutError") last = "TIMEOUT";
  }
  return last;
}
