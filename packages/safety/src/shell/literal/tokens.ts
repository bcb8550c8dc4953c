import type { LiteralRedirection } from "./literal-command.js";

/** A token of the literal subset. */
export type LiteralToken =
  | { readonly kind: "word"; readonly value: string }
  | { readonly kind: "redirection"; readonly redirection: LiteralRedirection }
  | { readonly kind: "operator"; readonly operator: "|" | ";" | "&&" | "||" };

/** Characters that every POSIX shell takes as themselves outside quotes, wherever they stand in a word. */
const PLAIN = /[A-Za-z0-9_./:,+@%=^-]/;
/** Behind these a `~` is itself, as in `HEAD~1`; shells expand it at the start of a word and behind `=` and `:`. */
const BEFORE_TILDE = /[A-Za-z0-9@]/;
/** What a backslash may stand before outside quotes. */
const ESCAPED = /[ -/:-@[-`{-~]/;
/** What a backslash escapes inside double quotes; before anything else it is itself. */
const ESCAPED_IN_QUOTES = new Set(["$", '"', "\\", "`"]);
/** What quotes may hold: no control, invisible or half character, which displays and locales differ about. */
const QUOTABLE = /^(?:\t|[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}])$/u;
const BLANK = /[ \t]/;
const REDIRECTION = /^(?:2>&1(?=[ \t|&;]|$)|([012]?)(>>|>|<)[ \t]*(?![<>&|()]))/;
/** Paths that bash gives a meaning of its own in redirections, beside the devices themselves. */
const DEVICE = /^\/+dev(?:\/|$)/;
const NOWHERE = "/dev/null";

interface Read {
  readonly value: string;
  readonly end: number;
}

/**
 * Splits a command into the tokens of the literal subset.
 * @param source - without blanks and line ends around it
 * @returns undefined when any of it is outside the subset
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
  // `|&`, `;;` and `;&` are operators of their own; `&` alone is none of the subset.
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

/** A word that ends at a blank, an operator or the end. */
function wordAt(source: string, start: number): Read | undefined {
  let value = "";
  let at = start;
  while (at < source.length) {
    const character = source.charAt(at);
    if (BLANK.test(character) || character === "|" || character === "&" || character === ";") break;
    const piece = pieceAt(source, at, at === start);
    if (piece === undefined) return undefined;
    value += piece.value;
    at = piece.end;
  }
  return at === start ? undefined : { value, end: at };
}

function pieceAt(source: string, at: number, isFirst: boolean): Read | undefined {
  const character = source.charAt(at);
  if (character === "'") return singleQuoted(source, at + 1);
  if (character === '"') return doubleQuoted(source, at + 1);
  if (character === "\\") {
    const escaped = source.charAt(at + 1);
    return ESCAPED.test(escaped) ? { value: escaped, end: at + 2 } : undefined;
  }
  // Alone it negates at the start of a command, which has a check of its own, and is itself elsewhere.
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
