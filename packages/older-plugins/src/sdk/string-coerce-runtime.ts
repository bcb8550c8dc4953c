import { isRecord } from "@openclaw/plugin-sdk/kit";

export {
  /** @deprecated Import it from "openclaw/plugin-sdk/kit". */
  isRecord,
} from "@openclaw/plugin-sdk/kit";

/**
 * Returns a trimmed string; undefined for an empty one or another value.
 * @deprecated Check the value's type.
 */
export function normalizeOptionalString(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/**
 * Returns a trimmed string in lower case; undefined for an empty one or another value.
 * @deprecated Check the value's type.
 */
export function normalizeOptionalLowercaseString(value: unknown): string | undefined {
  return normalizeOptionalString(value)?.toLowerCase();
}

/**
 * Returns a trimmed string in lower case; an empty string for another value.
 * @deprecated Check the value's type.
 */
export function normalizeLowercaseStringOrEmpty(value: unknown): string {
  return normalizeOptionalLowercaseString(value) ?? "";
}

/**
 * Returns a string unchanged; undefined for another value.
 * @deprecated Check the value's type.
 */
export function readStringValue(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Returns true for a string that contains more than white space.
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
 * Returns an object that is not an array unchanged; an empty object for another value.
 * @deprecated Check the value's type.
 */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/**
 * Returns an object that is not an array unchanged; undefined for another value.
 * @deprecated Check the value's type.
 */
export function asOptionalRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

/**
 * Returns a finite number unchanged; undefined for another value.
 * @deprecated Check the value's type.
 */
export function asFiniteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * Returns a boolean unchanged; undefined for another value.
 * @deprecated Check the value's type.
 */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/**
 * Returns each string once, in the order of first appearance.
 * @deprecated Use a `Set`.
 */
export function uniqueStrings(values: Iterable<string>): string[] {
  return [...new Set(values)];
}

/**
 * Returns a text or a number as text without spaces around it; undefined for an empty or another one.
 * @deprecated Check the value in the plugin.
 */
export function normalizeStringifiedOptionalString(value: unknown): string | undefined {
  const isNumber = typeof value === "number" && Number.isFinite(value);
  return normalizeOptionalString(isNumber || typeof value === "bigint" ? String(value) : value);
}

/**
 * Returns the entries of a list like {@link normalizeStringEntries}, in lower case.
 * @param values - list
 * @deprecated Check the list in the plugin.
 */
export function normalizeStringEntriesLower(values: unknown): string[] {
  return normalizeStringEntries(values).map((value) => value.toLowerCase());
}

/**
 * Returns an object that is not an array unchanged; null for another value.
 * @deprecated Check the value's type.
 */
export function asNullableRecord(value: unknown): Record<string, unknown> | null {
  return isRecord(value) ? value : null;
}

/**
 * Returns an object that is not an array unchanged; a new empty object for another value.
 * @deprecated Check the value's type.
 */
export function asNonArrayRecord(value: unknown): Record<string, unknown> {
  return asRecord(value);
}

/**
 * Returns an integer of a range unchanged; undefined for another value.
 * @param range - least and greatest integer
 * @deprecated Check the value.
 */
export function asSafeIntegerInRange(
  value: unknown,
  range: { readonly min?: number; readonly max?: number },
): number | undefined {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return undefined;
  return value >= min && value <= max ? value : undefined;
}

/**
 * Returns a number, also from a string that has nothing else; undefined for another value.
 * @deprecated Check the value's type.
 */
export function parseStrictFiniteNumber(value: unknown): number | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
  return asFiniteNumber(isNumber ? Number(text) : value);
}

/**
 * Returns a boolean, also from `true` and `false` as strings; undefined for another value.
 * @deprecated Check the value's type.
 */
export function parseBooleanValue(value: unknown): boolean | undefined {
  const text = normalizeOptionalLowercaseString(value);
  if (text === "true" || text === "false") return text === "true";
  return asBoolean(value);
}

/**
 * Returns a field that is a string; undefined for another one.
 * @param fields - an object, if any
 * @param name - name of the field
 * @deprecated Check the field's type.
 */
export function readStringField(
  fields: Readonly<Record<string, unknown>> | null | undefined,
  name: string,
): string | undefined {
  return readStringValue(fields?.[name]);
}

/**
 * Returns a string that contains more than white space unchanged; undefined for another value.
 * @deprecated Check the value's type.
 */
export function readNonBlankString(value: unknown): string | undefined {
  return hasNonEmptyString(value) ? value : undefined;
}

/**
 * Returns a trimmed string up to a length; undefined for an empty or longer one or another value.
 * @param maxLength - greatest number of characters
 * @deprecated Check the value.
 */
export function normalizeBoundedOptionalString(
  value: unknown,
  maxLength: number,
): string | undefined {
  const text = normalizeOptionalString(value);
  return text === undefined || text.length > maxLength ? undefined : text;
}

/**
 * Returns the trimmed, non-empty strings of a list; other members and values have none.
 * @deprecated Check the value's type.
 */
export function normalizeTrimmedStringList(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((each) => normalizeOptionalString(each) ?? []) : [];
}

/**
 * Returns the trimmed, non-empty strings of a list or of a single string.
 * @deprecated Check the value's type.
 */
export function normalizeSingleOrTrimmedStringList(value: unknown): string[] {
  return normalizeTrimmedStringList(Array.isArray(value) ? value : [value]);
}

/**
 * Returns the trimmed, non-empty strings of a list, each once.
 * @param values - any value; one that is not a list has no strings
 * @deprecated Use a `Set`.
 */
export function normalizeUniqueStringEntries(values: unknown): string[] {
  return uniqueStrings(normalizeStringEntries(values));
}
