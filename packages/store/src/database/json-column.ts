import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { RowDataError } from "../errors.js";

/** A table and one of its columns, for messages. */
export type ColumnName = `${string}.${string}`;

/**
 * A value as the text of a JSON column.
 * @param value - what to store; must be a JSON value
 * @param column - the column it is meant for
 * @param id - the row, for messages
 * @throws RowDataError when the value has no JSON form: a cycle, a BigInt, undefined, a function
 */
export function writeJson(value: unknown, column: ColumnName, id: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
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

/** {@link writeJson} for a column that may be empty. */
export function writeOptionalJson(value: unknown, column: ColumnName, id: string): string | null {
  return value === undefined ? null : writeJson(value, column, id);
}

/**
 * Reads a JSON column and checks what it holds.
 * @param text - the column's text
 * @param isExpected - recognises the value the column should hold
 * @param column - the column it came from
 * @param id - the row, for messages
 * @throws RowDataError when the text is no JSON or holds something else
 */
export function readJson<T>(
  text: string,
  isExpected: (value: unknown) => value is T,
  column: ColumnName,
  id: string,
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw damaged(column, id, "is no JSON", cause);
  }
  if (!isExpected(value)) throw damaged(column, id, "holds JSON of another shape");
  return value;
}

/** {@link readJson} for a column that may be empty. */
export function readOptionalJson<T>(
  text: string | null,
  isExpected: (value: unknown) => value is T,
  column: ColumnName,
  id: string,
): T | undefined {
  return text === null ? undefined : readJson(text, isExpected, column, id);
}

/**
 * Reads a column whose text is one of a few words.
 * @param text - the column's text
 * @param words - every word the column may hold
 * @param column - the column it came from
 * @param id - the row, for messages
 * @throws RowDataError when it holds another word
 */
export function readWord<Word extends string>(
  text: string,
  words: readonly Word[],
  column: ColumnName,
  id: string,
): Word {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined)
    throw damaged(column, id, `holds "${text}", expected ${words.join(", ")}`);
  return word;
}

/** {@link readWord} for a column that may be empty. */
export function readOptionalWord<Word extends string>(
  text: string | null,
  words: readonly Word[],
  column: ColumnName,
  id: string,
): Word | undefined {
  return text === null ? undefined : readWord(text, words, column, id);
}

/** Whether a value is an object with string keys, as JSON has them. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What JSON.parse gave is JSON, so that any of it will do. */
export function isJsonValue(_value: unknown): _value is JsonValue {
  return true;
}

function damaged(column: ColumnName, id: string, what: string, cause?: unknown): RowDataError {
  return new RowDataError(
    `${column} of ${id} ${what}; the row was not written by this version: restore a backup or repair the row`,
    { cause },
  );
}
