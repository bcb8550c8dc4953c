import type { JsonData } from "./json-copy.js";

/** Longest integer that is written out in full. */
const MOST_DIGITS = 40;

/** Number of a text that becomes another one when it is read, such as 9007199254740995. */
export interface InexactNumber {
  /** Keys and indexes from the root of the document. */
  readonly path: readonly (string | number)[];
  /** Number as it is written. */
  readonly written: string;
}

/**
 * Returns true for a value of a number that may have been rounded to an integer when it was read: one beyond 2^53.
 * @param value - value of a document
 */
export function isInexact(value: unknown): boolean {
  if (typeof value !== "number" || Number.isNaN(value)) return false;
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/**
 * Parses JSON, in which a large integer, usually the ID of a person or a conversation, would become another one.
 * @param text - JSON
 * @param reviver - sees each key and value, as with `JSON.parse`
 * @throws SyntaxError for text that is not JSON, and for a number that cannot be kept exactly, with how to write it
 */
export function parseExactJson(
  text: string,
  reviver: (key: string, value: JsonData) => JsonData = (_key, value) => value,
): JsonData {
  // The argument with the source of a value is newer than the declaration of the function.
  const read = (key: string, value: JsonData, { source = "" }: { source?: string } = {}) => {
    if (typeof value === "number" && isChanged(value, source)) {
      const { message, suggestion } = inexactNumberProblem(source);
      throw new SyntaxError(`${message}; ${suggestion}`);
    }
    return reviver(key, value);
  };
  return JSON.parse(text, read);
}

function isChanged(value: number, written: string): boolean {
  if (!isInexact(value)) return false;
  if (!Number.isFinite(value)) return true;
  if (/^-?\d+$/.test(written)) return BigInt(written) !== BigInt(value);
  return exactDigits(written) !== exactDigits(String(value));
}

/**
 * Returns the problem with a number that cannot be kept exactly, and how to write it.
 * @param written - number as it is written
 */
export function inexactNumberProblem(written: string): {
  readonly message: string;
  readonly suggestion: string;
} {
  return {
    message: `the number ${written} is too large to be kept exactly; it would become another one`,
    suggestion: `write it in quotes: ${JSON.stringify(exactDigits(written) ?? written)}`,
  };
}

/** Returns the digits of an integer in any notation of JSON5 or YAML; undefined for other numbers. */
function exactDigits(written: string): string | undefined {
  const [, sign = "", amount = ""] = /^([+-]?)(.*)$/.exec(written) ?? [];
  const minus = sign === "-" ? "-" : "";
  if (/^0[xo]/i.test(amount)) return `${minus}${BigInt(amount)}`;
  const [matched, whole = "", fraction = "", exponent = "0"] =
    /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(amount) ?? [];
  const shift = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (matched === undefined || digits === "") return undefined;
  if (Math.abs(shift) + digits.length > MOST_DIGITS) return undefined;
  if (shift >= 0) return `${minus}${BigInt(digits + "0".repeat(shift))}`;
  return /^0+$/.test(digits.slice(shift)) ? `${minus}${BigInt(digits.slice(0, shift))}` : undefined;
}
