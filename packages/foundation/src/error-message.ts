/**
 * Returns the message of a thrown value, which may be anything, including a value without a text form.
 * @param error - what was caught
 */
export function errorMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "a value without a message was thrown";
  }
}
