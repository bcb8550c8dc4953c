/** Deepest level of nested values that is read; a call with deeper ones is blocked. */
const DEEPEST = 64;

/** Result of replacing the strings of a value. */
export interface MappedValue {
  readonly value: unknown;
  readonly isChanged: boolean;
  /** True when a part was nested too deeply to be read. */
  readonly isTooDeep: boolean;
}

/**
 * Replaces the strings of a JSON value, the names of fields excepted.
 * @param value - JSON value; it is not modified
 * @param replace - returns the string to use
 */
export function mapStrings(
  value: unknown,
  replace: (text: string, path: readonly string[]) => string,
): MappedValue {
  let isChanged = false;
  let isTooDeep = false;
  const map = (part: unknown, path: readonly string[]): unknown => {
    if (typeof part === "string") {
      const replaced = replace(part, path);
      if (replaced !== part) isChanged = true;
      return replaced;
    }
    if (typeof part !== "object" || part === null) return part;
    if (path.length >= DEEPEST) {
      isTooDeep = true;
      return part;
    }
    if (Array.isArray(part)) return part.map((item, index) => map(item, [...path, String(index)]));
    return Object.fromEntries(
      Object.entries(part).map(([key, field]) => [key, map(field, [...path, key])]),
    );
  };
  const mapped = map(value, []);
  return { value: isChanged ? mapped : value, isChanged, isTooDeep };
}
