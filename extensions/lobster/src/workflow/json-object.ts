import type { JsonValue } from "@openclaw/plugin-sdk/tools";

/** Returns true for an object that is not a list. */
export function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
