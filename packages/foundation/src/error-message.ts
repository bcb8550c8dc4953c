/**
 * Returns the message of a thrown value of any type, including one without a text form.
 * @param error - caught value
 */
export function errorMessage(error: unknown): string {
  return textOf(error instanceof Error ? error.message : error);
}

/**
 * Returns the text form of an untrusted value.
 * @param value - any value, including an object whose `toString` throws
 */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `a value of type ${typeof value} without a text form`;
  }
}
