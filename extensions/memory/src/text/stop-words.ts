/** English words that say nothing about what a text is about. */
const STOP_WORDS = new Set(
  (
    "a about an and any are as at be been but by can could did do does for from had has have he her hers him his how i " +
    "if in into is it its just may me might must my no nor not of off on once only or our ours out s she should so " +
    "some such t tell than that the their theirs them then there these they this those to too up us very was we were " +
    "what when where which while who whom whose why will with would you your yours"
  ).split(" "),
);

/** English stop words that no language with similar letters has as well. */
const ENGLISH_ONLY = new Set(
  "the and of to for with that from by this have has not you your my is are be they their what where which how who when why does".split(
    " ",
  ),
);

/** Share of such words from which a text is English. */
const ENGLISH_SHARE = 0.1;

/** Returns true for an English word without a subject, in normal form. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/**
 * Returns true for the words of an English text. A text of a few words without any of the common ones is in no known
 * language.
 * @param words - words in normal form
 */
export function areEnglish(words: readonly string[]): boolean {
  const found = words.filter((word) => ENGLISH_ONLY.has(word)).length;
  return found > 0 && found >= words.length * ENGLISH_SHARE;
}
