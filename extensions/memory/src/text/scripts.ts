/** Characters of Chinese and Japanese, which have no spaces between words; two of them are about a word. */
const IDEOGRAPHIC = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u30fc`;
/** Alphabets without spaces between words. */
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const HANGUL = String.raw`\p{Script=Hangul}`;

/** Part of a text that is written without a break. */
export interface Run {
  readonly text: string;
  readonly kind: "ideographic" | "unspaced" | "hangul" | "word";
}

const RUN = new RegExp(
  `(?<ideographic>[${IDEOGRAPHIC}]+)|(?<unspaced>[${UNSPACED}]+)|(?<hangul>[${HANGUL}]+)|(?<word>(?:(?![${IDEOGRAPHIC}${UNSPACED}${HANGUL}])[\\p{L}\\p{M}\\p{N}])+)`,
  "gu",
);

/**
 * Returns the runs of letters and digits of a text, each in one kind of script.
 * @param text - text in normal form
 */
export function runsOf(text: string): Run[] {
  return [...text.matchAll(RUN)].map(({ 0: run, groups = {} }) => {
    const { ideographic, unspaced, hangul } = groups;
    if (ideographic !== undefined) return { text: run, kind: "ideographic" };
    if (unspaced !== undefined) return { text: run, kind: "unspaced" };
    return { text: run, kind: hangul === undefined ? "word" : "hangul" };
  });
}

/**
 * Divides a text into units of the length of a word, for the sizes of chunks: what is between spaces, and in scripts
 * without spaces two or four characters.
 */
export const WORD_UNITS = new RegExp(
  `[${IDEOGRAPHIC}]{1,2}[\\p{P}\\p{M}]*|[${UNSPACED}]{1,4}[\\p{P}\\p{M}]*|(?:(?![${IDEOGRAPHIC}${UNSPACED}])\\S)+`,
  "gu",
);
