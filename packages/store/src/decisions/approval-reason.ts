import { isJsonObject } from "../database/json-column.js";

/** Kinds of words of a command. */
export const WORD_KINDS = [
  "wrapper",
  "assignment",
  "program",
  "argument",
  "redirection",
  "computed",
] as const;

/** Word of a command, with secrets masked. */
export interface CommandWord {
  /** `computed` is a word that is known only when the command runs. */
  readonly kind: (typeof WORD_KINDS)[number];
  readonly text: string;
}

/** Rule that requires an approval, and where the configuration states it. */
export interface AskingRule {
  /** Name of the rule, for example `destructive:git-push-force` or `rules[2]`. */
  readonly id: string;
  /** Configuration key, for example `tools.requireApproval[0]`. */
  readonly key?: string | undefined;
  readonly file?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** Counted from 1. */
  readonly column?: number | undefined;
}

/**
 * Returns whether a value from the database is a list of commands as words.
 * @param value - parsed JSON
 */
export function isArgv(value: unknown): value is readonly (readonly CommandWord[])[] {
  return (
    Array.isArray(value) && value.every((words) => Array.isArray(words) && words.every(isWord))
  );
}

/**
 * Returns whether a value from the database is a rule.
 * @param value - parsed JSON
 */
export function isAskingRule(value: unknown): value is AskingRule {
  return (
    isJsonObject(value) &&
    typeof value.id === "string" &&
    [value.key, value.file].every((each) => each === undefined || typeof each === "string") &&
    [value.line, value.column].every((each) => each === undefined || typeof each === "number")
  );
}

function isWord(value: unknown): value is CommandWord {
  return (
    isJsonObject(value) &&
    typeof value.text === "string" &&
    WORD_KINDS.some((kind) => kind === value.kind)
  );
}
