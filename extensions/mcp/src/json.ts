import type { JsonValue } from "@openclaw/plugin-sdk/tools";

/**
 * Returns a plain copy of a value as JSON has it.
 * @param value - an object
 */
export function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
