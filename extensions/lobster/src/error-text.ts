/**
 * Returns the message of a thrown value, without its stack.
 * @param error - any thrown value
 */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
