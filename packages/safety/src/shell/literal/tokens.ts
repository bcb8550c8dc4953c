import type { LiteralRedirection } from "./literal-command.js";

/** Token of the literal subset. */
export type LiteralToken =
  | { readonly kind: "word"; readonly value: string }
  | { readonly kind: "redirection"; readonly redirection: LiteralRedirection }
  | { readonly kind: "operator"; readonly operator: "|" | ";" | "&&" | "||" };

/** Characters that are literal in every POSIX shell outside quotes, anywhere in a word. */
const PLAIN = /[A-Za-z0-9_./:,+@%=^-]/;
/**
 * Characters after which a `~` is literal, as in `HEAD~1`; shells expand it at the start of a word
 * and after `=` and `:`.
 */
const BEFORE_TILDE = /[A-Za-z0-9@]/;
/** Characters that a backslash may escape outside quotes. */
const ESCAPED = /[ -/:-@[-`{-~]/;
/** Characters that a backslash escapes inside double quotes; before others it is literal. */
const ESCAPED_IN_QUOTES = new Set(["$", '"', "\\", "`"]);
/**
 * Characters allowed inside quotes: no control character, invisible character or unpaired
 * surrogate, which displays and locales treat differently.
 */
const QUOTABLE = /^(?:\t|[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}])$/u;
const BLANK = /[ \t]/;
const REDIRECTION = /^(?:2>&1(?=[ \t|&;]|$)|([012]?)(>>|>|<)[ \t]*(?![<>&|()]))/;
/**
 * Paths to which bash gives a special meaning in redirections, in addition to the devices
 * themselves.
 */
const DEVICE = /^\/+dev(?:\/|$)/;
const NOWHERE = "/dev/null";

interface Read {
  readonly value: string;
  readonly end: number;
}

/**
 * Splits a command into the tokens of the literal subset.
 * @param source - command without blanks and line ends around it
 * @returns undefined when any part of it is outside the subset
 */
export function literalTokens(source: string): readonly LiteralToken[] | undefined {
  const tokens: LiteralToken[] = [];
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    if (BLANK.test(character)) {
      at += 1;
      continue;
    }
    const operator = operatorAt(source, at);
    if (operator !== undefined) {
      tokens.push({ kind: "operator", operator });
      at += operator.length;
      continue;
    }
    const redirection = REDIRECTION.exec(source.slice(at, at + 256));
    if (redirection !== null) {
      const read = redirectionAt(redirection, source, at);
      if (read === undefined) return undefined;
      tokens.push({ kind: "redirection", redirection: read.redirection });
      at = read.end;
      continue;
    }
    const word = wordAt(source, at);
    if (word === undefined) return undefined;
    tokens.push({ kind: "word", value: word.value });
    at = word.end;
  }
  return tokens;
}

function operatorAt(source: string, at: number): "|" | ";" | "&&" | "||" | undefined {
  const two = source.slice(at, at + 2);
  if (two === "&&" || two === "||") return two;
  const one = source.charAt(at);
  if (one !== "|" && one !== ";") return undefined;
  // `|&`, `;;` and `;&` are separate operators, and `&` alone is not in the subset.
  return two === "|&" || two === ";;" || two === ";&" ? undefined : one;
}

function redirectionAt(
  [text, digit, operator]: RegExpExecArray,
  source: string,
  at: number,
): { readonly redirection: LiteralRedirection; readonly end: number } | undefined {
  const end = at + text.length;
  if (operator === undefined) {
    return { redirection: { descriptor: 2, operator: ">&", target: "1" }, end };
  }
  if (operator !== "<" && operator !== ">" && operator !== ">>") return undefined;
  const target = wordAt(source, end);
  if (target === undefined || target.value === "") return undefined;
  if (DEVICE.test(target.value) && target.value !== NOWHERE) return undefined;
  const descriptor = digit === "0" ? 0 : digit === "1" ? 1 : digit === "2" ? 2 : undefined;
  const usual = operator === "<" ? 0 : 1;
  return {
    redirection: { descriptor: descriptor ?? usual, operator, target: target.value },
    end: target.end,
  };
}

/** Reads a word that ends at a blank, an operator or the end. */
function wordAt(source: string, start: number): Read | undefined {
  let value = "";
  let at = start;
  while (at < source.length) {
    const character = source.charAt(at);
    if (BLANK.test(character) || character === "|" || character === "&" || character === ";") break;
    const part = partAt(source, at, at === start);
    if (part === undefined) return undefined;
    value += part.value;
    at = part.end;
  }
  return at === start ? undefined : { value, end: at };
}

function partAt(source: string, at: number, isFirst: boolean): Read | undefined {
  const character = source.charAt(at);
  if (character === "'") return singleQuoted(source, at + 1);
  if (character === '"') return doubleQuoted(source, at + 1);
  if (character === "\\") {
    const escaped = source.charAt(at + 1);
    return ESCAPED.test(escaped) ? { value: escaped, end: at + 2 } : undefined;
  }
  // A lone `!` negates at the start of a command, which a separate check handles, and is literal
  // elsewhere.
  if (character === "!" && isFirst && /^(?:[ \t]|$)/.test(source.slice(at + 1, at + 2))) {
    return { value: character, end: at + 1 };
  }
  const isPlain =
    PLAIN.test(character) ||
    (character === "~" && !isFirst && BEFORE_TILDE.test(source.charAt(at - 1)));
  return isPlain ? { value: character, end: at + 1 } : undefined;
}

function singleQuoted(source: string, start: number): Read | undefined {
  const end = source.indexOf("'", start);
  if (end === -1) return undefined;
  const value = source.slice(start, end);
  return isQuotable(value) ? { value, end: end + 1 } : undefined;
}

function doubleQuoted(source: string, start: number): Read | undefined {
  let value = "";
  for (let at = start; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '"') return isQuotable(value) ? { value, end: at + 1 } : undefined;
    if (character === "$" || character === "`") return undefined;
    const next = source.charAt(at + 1);
    if (character === "\\" && ESCAPED_IN_QUOTES.has(next)) {
      value += next;
      at += 1;
    } else {
      value += character;
    }
  }
  return undefined;
}

function isQuotable(text: string): boolean {
  for (const character of text) if (!QUOTABLE.test(character)) return false;
  return true;
}
