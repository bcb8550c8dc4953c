/**
 * A text that is one and has more than white space in it, without the white space around it.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function normalizeOptionalString(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/**
 * The same in lower case.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function normalizeOptionalLowercaseString(value: unknown): string | undefined {
  return normalizeOptionalString(value)?.toLowerCase();
}

/**
 * The same, and an empty text where there is none.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function normalizeLowercaseStringOrEmpty(value: unknown): string {
  return normalizeOptionalLowercaseString(value) ?? "";
}

/**
 * A text as it is.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function readStringValue(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Whether a value is a text with more than white space in it.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function hasNonEmptyString(value: unknown): value is string {
  return normalizeOptionalString(value) !== undefined;
}

/**
 * The usable texts of a list, without white space around them.
 * @param values - anything; what is no list has none
 * @deprecated Check the value's type.
 */
export function normalizeStringEntries(values: unknown): string[] {
  if (!Array.isArray(values)) return [];
  return values.map((value) => String(value).trim()).filter((text) => text !== "");
}

/**
 * Whether a value is an object and no list.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The value where it is an object and no list, else an empty object.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/**
 * The value where it is an object and no list.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function asOptionalRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

/**
 * The value where it is a number and neither infinite nor NaN.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function asFiniteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * The value where it is true or false.
 * @param value - anything
 * @deprecated Check the value's type.
 */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/**
 * Each text once, in the order of first appearance.
 * @param values - texts
 * @deprecated Use a `Set`.
 */
export function uniqueStrings(values: Iterable<string>): string[] {
  return [...new Set(values)];
}
