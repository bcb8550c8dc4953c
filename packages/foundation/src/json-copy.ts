/** Value that survives JSON unchanged. */
export type JsonData = string | number | boolean | null | JsonData[] | { [key: string]: JsonData };

/**
 * Returns the part of a value that JSON can express, as a deep copy.
 * @param value - any value, for example the `details` of a tool result
 * @returns undefined when JSON can express no part of it, or when reading it throws
 */
export function jsonCopy(value: unknown): JsonData | undefined {
  const text = jsonText(value);
  return text === undefined ? undefined : (JSON.parse(text) as JsonData);
}

/**
 * Serialises a value as JSON.
 * @param value - any value
 * @param indent - spaces per level; none by default
 * @returns undefined when JSON cannot express the value
 */
export function jsonText(value: unknown, indent?: number): string | undefined {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    return undefined;
  }
}
