// Translates regular expressions of secret scanners into the notation of packages/safety/src/generated/secret-forms.ts,
// which keeps nothing but the facts: literal prefixes, the kinds of characters and their numbers.

const ALPHABET = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));
const range = (from, to) => ALPHABET.filter((character) => character >= from && character <= to);
const DIGITS = range("0", "9");
const LOWER = range("a", "z");
const UPPER = range("A", "Z");

/** Letters of the notation, by the characters that they stand for; the loader has the same table. */
const KINDS = Object.entries({
  d: DIGITS,
  h: [...DIGITS, ...range("a", "f")],
  H: [...DIGITS, ...range("a", "f"), ...range("A", "F")],
  a: [...DIGITS, ...LOWER],
  U: [...DIGITS, ...UPPER],
  A: [...DIGITS, ...LOWER, ...UPPER],
  l: [...LOWER, ...UPPER],
  w: [...DIGITS, ...LOWER, ...UPPER, "_", "-"],
  b: [...DIGITS, ...LOWER, ...UPPER, "+", "/"],
}).map(([letter, members]) => [letter, [...members].sort().join("")]);

/** The expression uses something that is not a fact of a token's form. */
class NotAForm extends Error {}

/**
 * Returns the form that a regular expression describes.
 * @param source - source of an expression in the syntax of RE2 or JavaScript
 */
export function formOf(source) {
  const reader = { source, at: 0, ignoreCase: false };
  const form = alternatives(reader);
  if (reader.at < source.length) throw new NotAForm(`unexpected ${source.slice(reader.at)}`);
  return form.replaceAll("\0", "");
}

function alternatives(reader) {
  const ignoreCase = reader.ignoreCase;
  const choices = [sequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    choices.push(sequence(reader));
  }
  reader.ignoreCase = ignoreCase;
  return choices.length === 1 ? choices[0] : `(${choices.join("|")})`;
}

function sequence(reader) {
  let form = "";
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source[reader.at])) {
    form += item(reader);
  }
  return form;
}

function item(reader) {
  const { source } = reader;
  const rest = source.slice(reader.at);
  const flag = /^\(\?(-?)i\)/.exec(rest);
  if (flag !== null) {
    reader.at += flag[0].length;
    reader.ignoreCase = flag[1] === "";
    return "";
  }
  if (rest.startsWith("\\b")) {
    reader.at += 2;
    return "";
  }
  const group = /^\((?:\?(?::|(-?)i:|P?<[a-z0-9_]+>))?/.exec(rest);
  if (group !== null) {
    reader.at += group[0].length;
    const before = reader.ignoreCase;
    if (group[1] !== undefined) reader.ignoreCase = group[1] === "";
    const inner = alternatives(reader);
    reader.ignoreCase = before;
    if (source[reader.at] !== ")") throw new NotAForm("unclosed group");
    reader.at += 1;
    if (source[reader.at] !== "?") {
      if (/^[*+{]/.test(source.slice(reader.at))) return repeatedGroup(reader, inner);
      return inner;
    }
    reader.at += 1;
    return `(${inner.replace(/^\((.*)\)$/, "$1")}|)`;
  }
  const members = characters(reader);
  const { least, most } = quantifier(reader);
  if (members.length === 1 && least === 1 && most === 1) return literal(members[0]);
  return `{${kindOf(members)}${least}${most === least ? "" : most === undefined ? "+" : `-${most}`}}`;
}

function repeatedGroup(reader, inner) {
  const { least, most } = quantifier(reader);
  if (least !== most) throw new NotAForm("group repeated without a fixed number");
  return inner.repeat(least);
}

function characters(reader) {
  const { source } = reader;
  const character = source[reader.at];
  if (character === "[") return classAt(reader);
  if (character === "\\") {
    reader.at += 2;
    return shorthand(source[reader.at - 1]);
  }
  if (/[.^$*+?(){}]/.test(character)) throw new NotAForm(`unsupported ${character}`);
  reader.at += 1;
  return [character];
}

function classAt(reader) {
  const { source } = reader;
  const members = new Set();
  reader.at += 1;
  if (source[reader.at] === "^") throw new NotAForm("negated class");
  while (source[reader.at] !== "]") {
    if (source.startsWith("[:alnum:]", reader.at)) {
      for (const member of [...DIGITS, ...LOWER, ...UPPER]) members.add(member);
      reader.at += 9;
      continue;
    }
    let first = source[reader.at];
    reader.at += 1;
    if (first === "\\") {
      first = source[reader.at];
      reader.at += 1;
      const several = shorthand(first);
      if (several.length > 1) {
        for (const member of several) members.add(member);
        continue;
      }
    }
    const isRange = source[reader.at] === "-" && source[reader.at + 1] !== "]";
    if (!isRange) {
      members.add(first);
      continue;
    }
    for (const member of range(first, source[reader.at + 1])) members.add(member);
    reader.at += 2;
  }
  reader.at += 1;
  if (reader.ignoreCase) {
    for (const member of [...members]) {
      members.add(member.toLowerCase());
      members.add(member.toUpperCase());
    }
  }
  return [...members];
}

function shorthand(letter) {
  if (letter === "d") return DIGITS;
  if (letter === "w") return [...DIGITS, ...LOWER, ...UPPER, "_"];
  if (letter === "S") return ALPHABET;
  if (/[A-Za-z0-9]/.test(letter)) throw new NotAForm(`unsupported \\${letter}`);
  return [letter];
}

function quantifier(reader) {
  const rest = reader.source.slice(reader.at);
  const counted = /^\{(\d+)(,?)(\d*)\}\??/.exec(rest);
  if (counted !== null) {
    reader.at += counted[0].length;
    const least = Number(counted[1]);
    const most = counted[2] === "" ? least : counted[3] === "" ? undefined : Number(counted[3]);
    return { least, most };
  }
  const sign = /^[*+?]/.exec(rest)?.[0];
  if (sign === undefined) return { least: 1, most: 1 };
  reader.at += 1;
  return { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : undefined };
}

function kindOf(members) {
  const sorted = [...new Set(members)].sort().join("");
  return KINDS.find(([, all]) => all === sorted)?.[0] ?? bracketed(sorted);
}

/** Writes a class in one way: the largest kind that it contains, and the other members. */
function bracketed(sorted) {
  const [letter, inside] = KINDS.filter(([, all]) =>
    [...all].every((member) => sorted.includes(member)),
  ).sort(([, one], [, other]) => other.length - one.length)[0] ?? ["", ""];
  const others = [...sorted].filter((member) => !inside.includes(member));
  return `${letter}[${others.map((member) => (/[\]\\^-]/.test(member) ? `\\${member}` : member)).join("")}]`;
}

function literal(character) {
  return /[{}()|^~\\]/.test(character) ? `\\${character}` : character;
}
