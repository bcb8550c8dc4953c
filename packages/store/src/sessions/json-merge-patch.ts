import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { isJsonObject } from "../database/json-column.js";

/**
 * Applies a JSON merge patch (RFC 7396): objects are merged field by field, null removes a field,
 * and any other value replaces the old one.
 * @param target - the value to change; not modified
 * @param patch - the change
 * @returns the changed value
 */
export function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  // A map, because a field may be named __proto__.
  const merged = new Map<string, JsonValue>(isJsonObject(target) ? Object.entries(target) : []);
  for (const [field, change] of Object.entries(patch)) {
    if (change === null) merged.delete(field);
    else merged.set(field, mergePatch(merged.get(field) ?? null, change));
  }
  return Object.fromEntries(merged);
}
