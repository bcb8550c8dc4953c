/** Cause of a failed message or turn, as it is stored and reported. */
export interface FailureRecord {
  readonly code: string;
  readonly message: string;
}

/**
 * Describes a thrown value.
 * @param error - thrown value; its `code` is kept if it has one, as all errors of this product do
 */
export function failureRecord(error: unknown): FailureRecord {
  if (!(error instanceof Error)) return { code: "UNEXPECTED", message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : "UNEXPECTED";
  return { code, message: error.message };
}
