/** Word of a text. */
export interface TextWord {
  /** Lower case, without diacritics and apostrophes. */
  readonly word: string;
  /** Spelling in the text, for example `getUserName`. */
  readonly spelling: string;
}

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with a control character.
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Returns the words of a text in order. A possessive `'s` is left out.
 * @param text - text in any language
 */
export function textWords(text: string): TextWord[] {
  return (withoutMarks(text).match(WORD) ?? []).map((spelling) => ({
    word: folded(spelling),
    spelling,
  }));
}

/**
 * Returns the words that a compound such as `getUserName` or `oauth2` consists of; one word for any other.
 * @param spelling - spelling of a word in its text
 */
export function compoundWords(spelling: string): string[] {
  return (spelling.match(HUMP) ?? []).map(folded).filter((word) => word !== "");
}

/** Decomposes characters, so that `é` equals `e`, and full-width letters equal ordinary ones. */
function withoutMarks(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "");
}

function folded(spelling: string): string {
  const word = spelling.toLowerCase();
  return word.includes("'") || word.includes("’")
    ? word.replace(/['’]s$/, "").replaceAll(/['’]/g, "")
    : word;
}
