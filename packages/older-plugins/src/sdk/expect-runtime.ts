/**
 * Returns a value that must be defined.
 * @param value - value that may be absent
 * @param description - name of the value for the message
 * @throws Error when it is undefined or null
 * @deprecated Check the value.
 */
export function expectDefined<Value>(value: Value | null | undefined, description: string): Value {
  if (value === undefined || value === null) {
    throw new Error(`expected ${description}, got ${value === null ? "null" : "nothing"}`);
  }
  return value;
}
