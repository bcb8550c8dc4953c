/**
 * Returns true for an object with properties: neither null nor an array.
 * @param value - any value, for example parsed JSON
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
