/**
 * Returns the message of a thrown value, which may be anything, including a value without a text form.
 * @param error - what was caught
 */
export function errorMessage(error: unknown): string {
  return textOf(error instanceof Error ? error.message : error);
}

/**
 * Returns the text form of a value that foreign code supplied.
 * @param value - anything, including an object whose `toString` throws
 */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `a value of type ${typeof value} without a text form`;
  }
}
