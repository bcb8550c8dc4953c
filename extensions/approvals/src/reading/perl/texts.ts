import { NotReading, type PerlCursor } from "./cursor.js";
import { isPlainName } from "./names.js";

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };
/** Characters that may enclose a text after an operator such as `m` and `qq`. */
const DELIMITER = /[/|!,{([~%:"]/;
const MATCH_FLAGS = /[msixpnualgc]*/y;
const CHANGE_FLAGS = /[msixpnualgcre]*/y;
const TRANSLATE_FLAGS = /[cdsr]*/y;
/** Parts of a regular expression that run code, or name a property that the program could define. */
const RUNS_CODE = /\(\s*\?\s*[?{]|\(\s*\*|\\N\{|\\[pP]\{(?!\^?(?!I[ns])[A-Za-z]+\})|\\[pP]\s/;
/** A variable in a text, without its subscripts. */
const VARIABLE =
  /\$(?:\{(?<inside>[A-Za-z_]\w*|\d+)\}|(?<name>[A-Za-z_]\w*|\d+)(?!\w|::|'[A-Za-z_])|(?<sign>[&.,/;!@|\\"])|\+(?=\{\w+\}))/y;
const LIST = /@(?<name>[A-Za-z]\w*)(?!\w|::|'[A-Za-z_])/y;
/** Subscripts that are a number, a word or a variable. */
const SUBSCRIPT =
  /(?:->)?(?:\[(?:-?\d+(?:(?:, ?|\.\.)-?\d+)*|\$(?<index>[A-Za-z_]\w*))\]|\{(?:\w+|'[\w ]+'|\$(?<key>[A-Za-z_]\w*|\d))\})/y;

/** Reads code, which is part of a text or replaces one. */
type ReadCode = (code: string) => void;

/**
 * Reads a text between quotes, or after one of the operators that quote.
 * @param cursor - place at the delimiter
 * @param operator - operator before the delimiter; `"` and `'` are their own
 * @param readCode - reads the replacement of `s///e`
 * @throws NotReading when it may run more than it shows
 */
export function readQuoted(cursor: PerlCursor, operator: string, readCode: ReadCode): void {
  const { next } = cursor;
  if (!DELIMITER.test(next) && operator !== "'") throw new NotReading(operator);
  const body = delimited(cursor);
  switch (operator) {
    case "'":
    case "q":
    case "qw":
      return;
    case '"':
    case "qq":
      checkInterpolated(body, false);
      return;
    case "m":
    case "qr":
      cursor.take(MATCH_FLAGS);
      checkPattern(body);
      break;
    case "s": {
      const replacement = secondPart(cursor, next);
      const [flags = ""] = cursor.take(CHANGE_FLAGS) ?? [];
      checkPattern(body);
      const [, ...evaluations] = flags.split("e");
      if (evaluations.length > 1) throw new NotReading("ee");
      if (evaluations.length === 0) checkInterpolated(replacement, false);
      else if (replacement.includes(`\\${next}`)) throw new NotReading("e");
      else readCode(replacement);
      break;
    }
    case "tr":
    case "y":
      secondPart(cursor, next);
      cursor.take(TRANSLATE_FLAGS);
      break;
    default:
      throw new NotReading(operator);
  }
  if (/\w/.test(cursor.next)) throw new NotReading("flags");
}

/** Takes a text with its delimiters and returns what is between them. */
function delimited(cursor: PerlCursor): string {
  const { next: open, rest } = cursor;
  const close = CLOSING[open] ?? open;
  let depth = 0;
  for (let at = 1; at < rest.length; at += 1) {
    const character = rest.charAt(at);
    if (character === "\\") at += 1;
    else if (character === close && depth === 0) {
      cursor.takes(rest.slice(0, at + 1));
      return rest.slice(1, at);
    } else if (character === close) depth -= 1;
    else if (character === open) depth += 1;
  }
  throw new NotReading(open);
}

/** Takes the second part of `s` and `tr`. */
function secondPart(cursor: PerlCursor, open: string): string {
  if (CLOSING[open] !== undefined) {
    cursor.take(/[ \t\n]*/y);
    if (cursor.next !== open) throw new NotReading(open);
    return delimited(cursor);
  }
  // The end of the first part is the start of the second one.
  const { rest } = cursor;
  for (let at = 0; at < rest.length; at += 1) {
    if (rest.charAt(at) === "\\") at += 1;
    else if (rest.charAt(at) === open) {
      cursor.takes(rest.slice(0, at + 1));
      return rest.slice(0, at);
    }
  }
  throw new NotReading(open);
}

function checkPattern(pattern: string): void {
  if (RUNS_CODE.test(pattern)) throw new NotReading("code in a pattern");
  checkInterpolated(pattern, true);
}

/**
 * Checks that only variables with simple subscripts are part of a text.
 * @param text - text between its delimiters
 * @param isPattern - true for a regular expression, where `$` may be an end
 */
function checkInterpolated(text: string, isPattern: boolean): void {
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") {
      if (text.startsWith("\\N{", at)) throw new NotReading("\\N");
      // It takes the next character, also one that would hide the one after it.
      if (/^\\c(?![A-Za-z])/.test(text.slice(at, at + 3))) throw new NotReading("\\c");
      at += 1;
      continue;
    }
    if (character !== "$" && character !== "@") continue;
    const following = text.charAt(at + 1);
    if (character === "$" && isPattern && /^[()| \t\n]?$/.test(following)) continue;
    if (character === "@" && !/[A-Za-z_{$:+-]/.test(following)) continue;
    const expression = character === "$" ? VARIABLE : LIST;
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found === null) throw new NotReading(character);
    const { name = found.groups?.inside } = found.groups ?? {};
    const end = subscriptsEnd(text, expression.lastIndex);
    const isEntry = /[[{]/.test(text.charAt(expression.lastIndex));
    checkName(name, character === "@" || isEntry);
    at = end - 1;
  }
}

/** Returns the position after the subscripts of a variable in a text. */
function subscriptsEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    SUBSCRIPT.lastIndex = at;
    const found = SUBSCRIPT.exec(text);
    if (found === null) break;
    checkName(found.groups?.index ?? found.groups?.key, false);
    at = SUBSCRIPT.lastIndex;
  }
  // Another subscript would be code, and a list may follow an arrow.
  if (/^(?:[[{]|->[[{@$%&*])/.test(text.slice(at))) throw new NotReading("a subscript");
  return at;
}

function checkName(name: string | undefined, isEntry: boolean): void {
  if (isEntry && name !== undefined && !isPlainName(name)) throw new NotReading(name);
}
