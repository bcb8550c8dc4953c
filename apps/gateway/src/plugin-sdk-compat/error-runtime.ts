/**
 * What a thrown value says.
 * @param error - anything that was thrown
 * @deprecated Read `error.message` after checking `error instanceof Error`.
 */
export function formatErrorMessage(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  return typeof error === "string" ? error : stringify(error);
}

/**
 * The stack of a thrown value, or what it says.
 * @param error - anything that was thrown
 * @deprecated Read `error.stack` after checking `error instanceof Error`.
 */
export function formatUncaughtError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : formatErrorMessage(error);
}

/**
 * The `code` of a thrown value.
 * @param error - anything that was thrown
 * @deprecated Read `error.code`.
 */
export function extractErrorCode(error: unknown): string | undefined {
  const code = fieldOf(error, "code");
  return typeof code === "string" || typeof code === "number" ? String(code) : undefined;
}

/**
 * The `name` of a thrown value.
 * @param error - anything that was thrown
 * @returns an empty text when it has none
 * @deprecated Read `error.name`.
 */
export function readErrorName(error: unknown): string {
  const name = fieldOf(error, "name");
  return typeof name === "string" ? name : "";
}

/**
 * A thrown value as an `Error`.
 * @param error - anything that was thrown
 * @deprecated Throw errors only.
 */
export function toErrorObject(error: unknown): Error {
  return error instanceof Error ? error : new Error(formatErrorMessage(error), { cause: error });
}

function fieldOf(value: unknown, field: "code" | "name"): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Record<string, unknown>)[field];
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
