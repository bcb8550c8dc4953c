/**
 * What a thrown value says of itself. Anything can be thrown, also things that have no text.
 * @param error - what was caught
 */
export function errorMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "something without a message was thrown";
  }
}
