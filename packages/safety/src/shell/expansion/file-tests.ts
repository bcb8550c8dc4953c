import type { TestExpression, Word } from "unbash";
import { type ExpansionFiles, NotExpandable } from "./expanded-command.js";
import { absolute, type Piece, patternOf } from "./patterns.js";

const INTEGER = /^-?\d{1,15}$/;
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "-eq": (a, b) => a === b,
  "-ne": (a, b) => a !== b,
  "-lt": (a, b) => a < b,
  "-le": (a, b) => a <= b,
  "-gt": (a, b) => a > b,
  "-ge": (a, b) => a >= b,
};

/** Place in which a test looks for files. */
export interface TestPlace {
  readonly folder: string;
  readonly files: ExpansionFiles;
}

/**
 * Returns the outcome of `test` with one condition; undefined when only the program knows it.
 * @param words - words after the program
 * @param place - folder and files
 */
export async function testOutcome(
  words: readonly string[],
  place: TestPlace,
): Promise<boolean | undefined> {
  const [first, second, third, ...more] = words;
  if (first === undefined) return false;
  if (first === "!") {
    const outcome = await testOutcome(words.slice(1), place);
    return outcome === undefined ? undefined : !outcome;
  }
  if (second === undefined) return first !== "";
  if (third === undefined) return await unaryOutcome(first, second, place);
  return more.length > 0 ? undefined : binaryOutcome(second, first, third);
}

async function unaryOutcome(
  operator: string,
  operand: string,
  { folder, files }: TestPlace,
): Promise<boolean | undefined> {
  if (operator === "-n") return operand !== "";
  if (operator === "-z") return operand === "";
  if (!["-f", "-d", "-e"].includes(operator)) return undefined;
  if (operand === "") return false;
  const kind = await files.kind(absolute(operand, folder));
  if (kind === undefined) return undefined;
  if (operator === "-f") return kind === "file";
  return operator === "-d" ? kind === "folder" : kind !== "none";
}

function binaryOutcome(operator: string, left: string, right: string): boolean | undefined {
  if (operator === "=" || operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  const compare = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
  if (compare === undefined || !INTEGER.test(left) || !INTEGER.test(right)) return undefined;
  return compare(Number(left), Number(right));
}

/** Means of the words of a `[[ … ]]`. */
export interface ConditionMeans extends TestPlace {
  textOf(word: Word): Promise<string>;
  patternOf(word: Word): Promise<readonly Piece[]>;
}

/**
 * Returns the outcome of `[[ … ]]`.
 * @param expression - as parsed by the grammar
 * @param means - words, folder and files
 * @throws NotExpandable when only a shell knows it
 */
export async function conditionOutcome(
  expression: TestExpression,
  means: ConditionMeans,
): Promise<boolean> {
  switch (expression.type) {
    case "TestUnary": {
      const operand = await means.textOf(expression.operand);
      return known(await unaryOutcome(expression.operator, operand, means));
    }
    case "TestBinary": {
      const { operator } = expression;
      const left = await means.textOf(expression.left);
      if (["=", "==", "!="].includes(operator)) {
        const isEqual = patternOf(await means.patternOf(expression.right))(left);
        return isEqual === (operator !== "!=");
      }
      return known(binaryOutcome(operator, left, await means.textOf(expression.right)));
    }
    case "TestLogical": {
      const isAnd = expression.operator === "&&";
      for (const operand of expression.operands) {
        if ((await conditionOutcome(operand, means)) !== isAnd) return !isAnd;
      }
      return isAnd;
    }
    case "TestNot": {
      const outcome = await conditionOutcome(expression.operand, means);
      return expression.negations.length % 2 === 0 ? outcome : !outcome;
    }
    case "TestGroup":
      return await conditionOutcome(expression.expression, means);
  }
}

function known(outcome: boolean | undefined): boolean {
  if (outcome === undefined) throw new NotExpandable("a test");
  return outcome;
}
