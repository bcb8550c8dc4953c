/** What made a message or turn fail, as it is stored and told. */
export interface FailureRecord {
  readonly code: string;
  readonly message: string;
}

/**
 * Describes anything that was thrown.
 * @param error - `code` is kept where it has one, as all errors of this product do
 */
export function failureRecord(error: unknown): FailureRecord {
  if (!(error instanceof Error)) return { code: "UNEXPECTED", message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : "UNEXPECTED";
  return { code, message: error.message };
}
