import { parseWellFormed, stringifyWellFormed } from "@openclaw/foundation";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { RowDataError } from "../errors.js";

/** Table and column in the form `table.column`, for error messages. */
export type ColumnName = `${string}.${string}`;

/**
 * Serializes a value for a JSON column. Halves of characters in it are replaced.
 * @param value - a JSON value
 * @param column - the column that stores it
 * @param id - the row, for messages
 * @throws RowDataError when the value has no JSON form: a cycle, a BigInt, undefined, a function
 */
export function writeJson(value: unknown, column: ColumnName, id: string): string {
  let text: string | undefined;
  try {
    text = stringifyWellFormed(value);
  } catch (cause) {
    throw new RowDataError(`${column} of ${id} cannot be stored as JSON: ${String(cause)}`, {
      cause,
    });
  }
  if (text === undefined) {
    throw new RowDataError(
      `${column} of ${id} cannot be stored as JSON: expected a value, got ${typeof value}`,
    );
  }
  return text;
}

/** {@link writeJson} for a nullable column. */
export function writeOptionalJson(value: unknown, column: ColumnName, id: string): string | null {
  return value === undefined ? null : writeJson(value, column, id);
}

/**
 * Reads a JSON column and validates its value. Halves of characters that an earlier version stored are replaced (TURN-202).
 * @param text - the column's text
 * @param isExpected - recognizes a valid value of the column
 * @param column - the column that it was read from
 * @param id - the row, for messages
 * @throws RowDataError when the text is not valid JSON or not a valid value of the column
 */
export function readJson<T>(
  text: string,
  isExpected: (value: unknown) => value is T,
  column: ColumnName,
  id: string,
): T {
  let value: unknown;
  try {
    value = parseWellFormed(text);
  } catch (cause) {
    throw damaged(column, id, "is not valid JSON", cause);
  }
  if (!isExpected(value)) throw damaged(column, id, "contains JSON of a different shape");
  return value;
}

/** {@link readJson} for a nullable column. */
export function readOptionalJson<T>(
  text: string | null,
  isExpected: (value: unknown) => value is T,
  column: ColumnName,
  id: string,
): T | undefined {
  return text === null ? undefined : readJson(text, isExpected, column, id);
}

/**
 * Reads a column whose text is one of a fixed set of words.
 * @param text - the column's text
 * @param words - every allowed word
 * @param column - the column that it was read from
 * @param id - the row, for messages
 * @throws RowDataError when the text is any other word
 */
export function readWord<Word extends string>(
  text: string,
  words: readonly Word[],
  column: ColumnName,
  id: string,
): Word {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined)
    throw damaged(column, id, `contains "${text}", expected ${words.join(", ")}`);
  return word;
}

/** {@link readWord} for a nullable column. */
export function readOptionalWord<Word extends string>(
  text: string | null,
  words: readonly Word[],
  column: ColumnName,
  id: string,
): Word | undefined {
  return text === null ? undefined : readWord(text, words, column, id);
}

/** Returns true for a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Accepts every value: the result of `JSON.parse` is always a JSON value. */
export function isJsonValue(_value: unknown): _value is JsonValue {
  return true;
}

function damaged(column: ColumnName, id: string, problem: string, cause?: unknown): RowDataError {
  return new RowDataError(
    `${column} of ${id} ${problem}; this version did not write the row: restore a backup or repair the row`,
    { cause },
  );
}
