/**
 * Returns the message of a thrown value.
 * @deprecated Read `error.message` after checking `error instanceof Error`.
 */
export function formatErrorMessage(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  return typeof error === "string" ? error : stringify(error);
}

/**
 * Returns the stack of a thrown value, or its message when it has no stack.
 * @deprecated Read `error.stack` after checking `error instanceof Error`.
 */
export function formatUncaughtError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : formatErrorMessage(error);
}

/**
 * Returns the `code` of a thrown value.
 * @deprecated Read `error.code`.
 */
export function extractErrorCode(error: unknown): string | undefined {
  const code = fieldOf(error, "code");
  return typeof code === "string" || typeof code === "number" ? String(code) : undefined;
}

/**
 * Returns the `name` of a thrown value.
 * @returns the name; an empty string when it has none
 * @deprecated Read `error.name`.
 */
export function readErrorName(error: unknown): string {
  const name = fieldOf(error, "name");
  return typeof name === "string" ? name : "";
}

/**
 * Converts a thrown value to an `Error`.
 * @deprecated Throw only errors.
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
