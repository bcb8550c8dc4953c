import type { ConfigurationChange } from "./text-change.js";

/**
 * Returns the changes of a JSON merge patch (RFC 7396): `null` removes a key, objects are merged, so that an
 * empty one changes nothing, and everything else replaces the value.
 * @param patch - object of the patch
 * @param path - path of the object in the configuration
 */
export function patchChanges(
  patch: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
): ConfigurationChange[] {
  return Object.entries(patch).flatMap(([key, value]): ConfigurationChange[] => {
    const [first = key, ...rest] = [...path, key];
    if (isObject(value)) return patchChanges(value, [first, ...rest]);
    return [[[first, ...rest], value === null ? undefined : value]];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
