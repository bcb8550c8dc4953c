import { InvalidParameterError } from "../errors.js";

const LONGEST_PATH = 512;

/** Path of the general notes. */
export const MEMORY_FILE = "MEMORY.md";

/** Path of the tasks that heartbeat turns check. */
export const HEARTBEAT_FILE = "HEARTBEAT.md";

/** Files that agents follow; the model may not write them by itself (MEM-031). */
export const IDENTITY_FILES: ReadonlySet<string> = new Set([
  "IDENTITY.md",
  "SOUL.md",
  "AGENTS.md",
  "USER.md",
  HEARTBEAT_FILE,
]);

const DAILY_NOTE = /^daily\/(\d{4}-\d{2}-\d{2})\.md$/;

/**
 * Normalises the path of a document: trims it, removes outer slashes and joins repeated ones (MEM-002).
 * @param path - path as given by a user or a model
 * @param field - name of the parameter, for the error
 * @throws InvalidParameterError for an empty path, `..`, a NUL character, a backslash, or more than 512 characters
 */
export function normalisePath(path: string, field = "path"): string {
  const normal = normaliseFolder(path, field);
  if (normal !== "") return normal;
  throw new InvalidParameterError(field, "expected a path such as projects/plan.md, got none");
}

/**
 * Normalises the path of a folder; the root is the empty string.
 * @param path - path as given by a user or a model
 * @param field - name of the parameter, for the error
 * @throws InvalidParameterError as {@link normalisePath}, except for an empty path
 */
export function normaliseFolder(path: string, field = "path"): string {
  if (path.includes("\0")) {
    throw new InvalidParameterError(field, "a path may not contain a NUL character");
  }
  if (path.includes("\\")) {
    throw new InvalidParameterError(
      field,
      "a path may not contain a backslash; separate folders with /",
    );
  }
  const parts = path
    .trim()
    .split("/")
    .filter((part) => part !== "");
  if (parts.includes("..")) {
    throw new InvalidParameterError(
      field,
      "a path may not contain ..; name the document from the root",
    );
  }
  const normal = parts.filter((part) => part !== ".").join("/");
  if (normal.length <= LONGEST_PATH) return normal;
  throw new InvalidParameterError(
    field,
    `a path may have at most ${LONGEST_PATH} characters, got ${normal.length}`,
  );
}

/**
 * Returns the path of a daily note.
 * @param day - date in the form YYYY-MM-DD
 */
export function dailyPath(day: string): string {
  return `daily/${day}.md`;
}

/**
 * Returns the date of a daily note; undefined for any other document.
 * @param path - normalised path
 */
export function dayOfPath(path: string): string | undefined {
  return DAILY_NOTE.exec(path)?.[1];
}

/**
 * Returns the words of a path, without its suffix and its numbers.
 * @param path - path of a document
 */
export function subjectOf(path: string): string {
  return wordsOfPath(path).replaceAll(/\d+/g, " ").replaceAll(/\s+/g, " ").trim();
}

/**
 * Returns the words of a path, without its suffix.
 * @param path - path of a document
 */
export function wordsOfPath(path: string): string {
  return path.replace(/\.(?:md|markdown|txt)$/i, "").replaceAll(/[/_.-]+/g, " ");
}
