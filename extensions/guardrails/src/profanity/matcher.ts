import { spellingsOf } from "./spelling.js";
import {
  ENGLISH_BEGINNINGS,
  ENGLISH_ENDINGS,
  ENGLISH_STEMS,
  isUnseparated,
  STARRED_WORDS,
  WHOLE_WORDS,
} from "./word-list.js";

/** Part of a text, as offsets of UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Letters, digits and the signs that are written for letters; a hyphen and an underscore separate words. */
const TOKEN = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}@$!|+€*]+/gu;
/** Single letters with one or two separators between them: `f u c k`, `s.h.i.t`. */
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?:[ ._*-]{1,2}\p{L}){2,}(?![\p{L}\p{N}])/gu;
/** Text of ASCII characters and typographic punctuation; the two below take a fraction of the time for it. */
const ASCII = /^[\0-\x7f\u2010-\u2027\u2030-\u205e]*$/;
const ASCII_TOKEN = /[a-z0-9@$!|+*]+/gi;
const ASCII_SPACED = /(?<![a-z0-9])[a-z](?:[ ._*-]{1,2}[a-z]){2,}(?![a-z0-9])/gi;
const DIGITS = /^\d+$/;
/** Letters that need no other spelling: none repeated three times, and no `ph` for `f` at the beginning. */
const PLAIN = /^(?!ph)(?!.*(.)\1\1)[a-z]+$/i;
/** Signs at the ends of a token that may be punctuation. */
const PUNCTUATION = /^[!|+*]+|[!|+*]+$/g;
const LEADING = /^[!|+*]+/;
const PUNCTUATION_AT_END = /[!|+*]$/;
/** Least number of letters of a word that is written as single letters; as a part of such a sequence it needs one more. */
const SHORTEST_SPACED = 3;
/** Maximum length of a token that is looked up; a longer one cannot be read as a word. */
const LONGEST = 64;
/** Maximum number of tokens whose result is remembered, because messages repeat words. */
const MOST_REMEMBERED = 4096;

/** Options of {@link ProfanityMatcher}. */
export interface ProfanityWords {
  /** Words in addition to the built-in list. */
  readonly words?: readonly string[];
  /** Words that are never matched. */
  readonly allow?: readonly string[];
}

/** A letter of a sequence of single letters, and its offset. */
interface SpacedLetter {
  readonly letter: string;
  readonly index: number;
}

/** Position of the first letter, and that after the last. */
type LetterRange = readonly [from: number, end: number];

/** Finds the words of a list in a text: whole words, also when they are disguised. */
export class ProfanityMatcher {
  readonly #words: ReadonlySet<string>;
  readonly #unseparated: readonly string[];
  readonly #starred: ReadonlySet<string>;
  readonly #remembered = new Map<string, boolean>();

  /** @param words - changes of the built-in list */
  constructor({ words = [], allow = [] }: ProfanityWords = {}) {
    const allowed = new Set(allow.map(plain));
    const own = words.map(plain).filter((word) => word !== "");
    const listed = [...builtIn(), ...own].filter((word) => !allowed.has(word));
    this.#words = new Set(listed.filter((word) => !isUnseparated(word)));
    this.#unseparated = [...new Set(listed.filter(isUnseparated))];
    this.#starred = new Set([...STARRED_WORDS, ...own].filter((word) => !allowed.has(word)));
  }

  /** Returns the words of the list in a text, in order and without overlap. */
  find(text: string): TextRange[] {
    const found: TextRange[] = [];
    const isAscii = ASCII.test(text);
    for (const match of text.matchAll(isAscii ? ASCII_TOKEN : TOKEN)) {
      this.#addToken(found, match[0], match.index);
    }
    for (const { 0: spaced, index } of text.matchAll(isAscii ? ASCII_SPACED : SPACED)) {
      for (const { start, end } of this.#spacedWords(spaced)) {
        found.push({ start: index + start, end: index + end });
      }
    }
    for (const word of isAscii ? [] : this.#unseparated) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        found.push({ start: at, end: at + word.length });
      }
    }
    return joined(found);
  }

  #addToken(found: TextRange[], token: string, index: number): void {
    if (token.length > LONGEST) return;
    const lead = LEADING.exec(token)?.[0].length ?? 0;
    const trimmed =
      PUNCTUATION_AT_END.test(token) || lead > 0 ? token.replaceAll(PUNCTUATION, "") : token;
    if (trimmed === "") return;
    const start = index + lead;
    if (this.#isListed(trimmed) || this.#isStarred(trimmed)) {
      found.push({ start, end: start + trimmed.length });
    } else if (trimmed.length < token.length && this.#isListed(token)) {
      found.push({ start: index, end: index + token.length });
    }
  }

  /** Returns the words in a sequence of single letters, and those of a part of it from four letters. */
  #spacedWords(spaced: string): TextRange[] {
    const letters = [...spaced.slice(0, LONGEST * 2).matchAll(/\p{L}/gu)].map(
      ({ 0: letter, index }) => ({ letter, index }),
    );
    // Even separators first: the letters of other sentences, as in "a b. s h i t. c", are not part of the word.
    const even = this.#wordsWithin(letters, 0, letters.length, (from) =>
      evenEnd(spaced, letters, from),
    );
    let first = 0;
    const uneven: LetterRange[] = [];
    for (const [from, end] of [...even, [letters.length, letters.length] as const]) {
      uneven.push(...this.#wordsWithin(letters, first, from, () => from));
      first = end;
    }
    return [...even, ...uneven].flatMap(([from, end]) => {
      const [start, last] = [letters[from], letters[end - 1]];
      if (start === undefined || last === undefined) return [];
      return [{ start: start.index, end: last.index + last.letter.length }];
    });
  }

  /** Returns the words among some of the letters, each of which ends at the latest where `endOf` its beginning says. */
  #wordsWithin(
    letters: readonly SpacedLetter[],
    first: number,
    last: number,
    endOf: (from: number) => number,
  ): LetterRange[] {
    const words: LetterRange[] = [];
    for (let from = first; from < last; from += 1) {
      const end = this.#wordEnd(letters, from, Math.min(endOf(from), last));
      if (end === undefined) continue;
      words.push([from, end]);
      from = end - 1;
    }
    return words;
  }

  /** Returns the position after the longest word that begins at `from`; undefined when none does. */
  #wordEnd(letters: readonly SpacedLetter[], from: number, end: number): number | undefined {
    for (let to = end; to - from >= SHORTEST_SPACED; to -= 1) {
      const part = letters.slice(from, to);
      if (part.length < letters.length && part.length <= SHORTEST_SPACED) return undefined;
      if (this.#isListed(part.map(({ letter }) => letter).join(""))) return to;
    }
    return undefined;
  }

  #isListed(token: string): boolean {
    const known = this.#remembered.get(token);
    if (known !== undefined) return known;
    const isListed = this.#hasSpelling(token);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(token, isListed);
    return isListed;
  }

  #hasSpelling(token: string): boolean {
    // Nearly every token of most texts; without a disguise there is one spelling.
    if (PLAIN.test(token) || DIGITS.test(token)) return this.#words.has(token.toLowerCase());
    for (const spelling of spellingsOf(token)) if (this.#words.has(spelling)) return true;
    return false;
  }

  /** Returns true for `sh*t` and `f**k`: at least two letters, the first one among them, and as many stars as letters. */
  #isStarred(token: string): boolean {
    if (!token.includes("*")) return false;
    const letters = token.replaceAll("*", "").length;
    if (letters < 2 || letters * 2 < token.length) return false;
    const wanted = token.toLowerCase();
    for (const word of this.#starred) {
      if (word.length === wanted.length && fits(wanted, word)) return true;
    }
    return false;
  }
}

/** Returns the position after the letters from `from` on that have the same separators between them. */
function evenEnd(spaced: string, letters: readonly SpacedLetter[], from: number): number {
  const separator = (at: number) => {
    const [left, right] = [letters[at], letters[at + 1]];
    return left && right && spaced.slice(left.index + left.letter.length, right.index);
  };
  let last = from;
  while (separator(last) !== undefined && separator(last) === separator(from)) last += 1;
  return last + 1;
}

function fits(starred: string, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const character = starred.charAt(index);
    if (character !== "*" && character !== word.charAt(index)) return false;
  }
  return true;
}

/** Returns the built-in list with the forms of the English stems. */
function builtIn(): string[] {
  const beginnings = ["", ...ENGLISH_BEGINNINGS];
  const endings = ["", ...ENGLISH_ENDINGS];
  const forms = ENGLISH_STEMS.flatMap((stem) =>
    beginnings.flatMap((beginning) =>
      endings.flatMap((ending) => [
        `${beginning}${stem}${ending}`,
        // The last letter is doubled before an ending: shitty, whoring has none.
        ...(stem.endsWith("e") ? [`${beginning}${stem.slice(0, -1)}${ending}`] : []),
      ]),
    ),
  );
  return [...forms, ...WHOLE_WORDS].map(plain);
}

function plain(word: string): string {
  return word.normalize("NFKC").trim().toLowerCase();
}

/** Sorts ranges, and joins those that overlap. */
function joined(ranges: readonly TextRange[]): TextRange[] {
  const sorted = [...ranges].sort(
    (left, right) => left.start - right.start || right.end - left.end,
  );
  const result: TextRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else if (range.end > last.end)
      result[result.length - 1] = { start: last.start, end: range.end };
  }
  return result;
}
