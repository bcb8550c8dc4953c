import type { ParameterExpansionPart, Word } from "unbash";
import { NotExpandable } from "./expanded-command.js";
import { type Piece, patternOf } from "./patterns.js";

/** Maximum length of a value of which parts are removed. */
const LONGEST = 1024;

/** Means of a parameter expansion. */
export interface ParameterMeans {
  /** Returns the value of a variable; undefined when it is not set. */
  valueOf(name: string): string | undefined;
  /** Returns a word as a pattern. */
  patternOf(word: Word): Promise<readonly Piece[]>;
  /** Returns a word as text. */
  textOf(word: Word): Promise<string>;
}

/**
 * Returns the value of a parameter with its operation.
 * @param part - as parsed by the grammar
 * @param means - variables and words
 * @throws NotExpandable for operations that set variables or are not known here
 */
export async function parameterValue(
  { parameter, prefix, index, operation }: ParameterExpansionPart,
  means: ParameterMeans,
): Promise<string> {
  if (index !== undefined || prefix === "!") throw new NotExpandable("an array or a reference");
  const given = means.valueOf(parameter);
  const value = given ?? "";
  if (prefix === "#") {
    if (operation !== undefined) throw new NotExpandable("a length with an operation");
    return String([...value].length);
  }
  if (value.length > LONGEST && operation !== undefined) throw new NotExpandable("a long value");
  switch (operation?.type) {
    case undefined:
      return value;
    case "Default": {
      const isMissing = given === undefined || (operation.operator.startsWith(":") && value === "");
      if (operation.operator.endsWith("-")) {
        return isMissing ? await means.textOf(operation.operand) : value;
      }
      if (operation.operator.endsWith("+")) {
        return isMissing ? "" : await means.textOf(operation.operand);
      }
      throw new NotExpandable(operation.operator);
    }
    case "Remove":
      return removed(value, operation.operator, await means.patternOf(operation.operand));
    case "Replace": {
      const pattern = await means.patternOf(operation.pattern);
      if (operation.operator.length > 1 && operation.operator !== "//") {
        throw new NotExpandable(operation.operator);
      }
      const replacement = await means.textOf(operation.replacement);
      return replaced(value, pattern, replacement, operation.operator === "//");
    }
    case "CaseModification": {
      if (operation.operand !== undefined) throw new NotExpandable("a pattern of letters");
      const isUpper = operation.operator.startsWith("^");
      const isAll = operation.operator.length === 2;
      const count = isAll ? value.length : 1;
      const start = value.slice(0, count);
      return (isUpper ? start.toUpperCase() : start.toLowerCase()) + value.slice(count);
    }
    default:
      throw new NotExpandable("an operation");
  }
}

function removed(value: string, operator: string, pieces: readonly Piece[]): string {
  const pattern = patternOf(pieces);
  const isLongest = operator.length === 2;
  const isStart = operator.startsWith("#");
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  for (const length of isLongest ? lengths.reverse() : lengths) {
    const part = isStart ? value.slice(0, length) : value.slice(value.length - length);
    if (!pattern(part)) continue;
    return isStart ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

function replaced(
  value: string,
  pieces: readonly Piece[],
  replacement: string,
  isEvery: boolean,
): string {
  const text = pieces.map((piece) => piece.text).join("");
  if (text === "" || pieces.some(({ isPattern }) => isPattern)) {
    throw new NotExpandable("a replaced pattern");
  }
  return isEvery ? value.split(text).join(replacement) : value.replace(text, () => replacement);
}
