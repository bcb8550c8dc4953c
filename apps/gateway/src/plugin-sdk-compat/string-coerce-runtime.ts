/**
 * Returns a trimmed string; undefined for an empty one or another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function normalizeOptionalString(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/**
 * Returns a trimmed string in lower case; undefined for an empty one or another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function normalizeOptionalLowercaseString(value: unknown): string | undefined {
  return normalizeOptionalString(value)?.toLowerCase();
}

/**
 * Returns a trimmed string in lower case; an empty string for another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function normalizeLowercaseStringOrEmpty(value: unknown): string {
  return normalizeOptionalLowercaseString(value) ?? "";
}

/**
 * Returns a string unchanged; undefined for another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function readStringValue(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Returns true for a string that contains more than white space.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function hasNonEmptyString(value: unknown): value is string {
  return normalizeOptionalString(value) !== undefined;
}

/**
 * Returns the trimmed, non-empty strings of a list.
 * @param values - any value; one that is not a list has no strings
 * @deprecated Check the value's type.
 */
export function normalizeStringEntries(values: unknown): string[] {
  if (!Array.isArray(values)) return [];
  return values.map((value) => String(value).trim()).filter((text) => text !== "");
}

/**
 * Returns true for an object that is not an array.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns an object that is not an array unchanged; an empty object for another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/**
 * Returns an object that is not an array unchanged; undefined for another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function asOptionalRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

/**
 * Returns a finite number unchanged; undefined for another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function asFiniteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * Returns a boolean unchanged; undefined for another value.
 * @param value - any value
 * @deprecated Check the value's type.
 */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/**
 * Returns each string once, in the order of first appearance.
 * @param values - strings
 * @deprecated Use a `Set`.
 */
export function uniqueStrings(values: Iterable<string>): string[] {
  return [...new Set(values)];
}
