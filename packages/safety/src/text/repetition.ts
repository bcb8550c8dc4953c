/** Maximum number of equal characters in a row that is not a repetition (SAFE-035). */
const MOST_IN_A_ROW = 20;
/** Maximum length of one character, in UTF-16 code units: a flag or an emoji of a family. */
const LONGEST_CHARACTER = 16;

/** Created at its first use, because it loads rules of Unicode. */
let segmenter: Intl.Segmenter | undefined;

/**
 * Returns whether a text contains one character more than twenty times in a row. Characters are
 * counted as a reader sees them: an emoji is one character, and accents on a letter do not count.
 */
export function hasRepetition(text: string): boolean {
  const isAscii = Buffer.byteLength(text) === text.length;
  const longest = isAscii ? 1 : LONGEST_CHARACTER;
  for (let width = 1; width <= longest; width += 1) {
    if (hasRepetitionOf(text, width)) return true;
  }
  return false;
}

/**
 * Returns true when a text has at least so many characters, as a reader counts them.
 * @param least - minimum number of characters
 */
export function hasCharacters(text: string, least: number): boolean {
  if (text.length < least) return false;
  let count = 0;
  for (const _ of charactersOf(text)) {
    count += 1;
    if (count >= least) return true;
  }
  return false;
}

/**
 * Returns whether a character of so many units repeats. Every twentieth unit is probed: a
 * repetition is too long to fit between two probes.
 */
function hasRepetitionOf(text: string, width: number): boolean {
  const least = (MOST_IN_A_ROW + 1) * width;
  let floor = 0;
  for (let probe = 0; probe + width < text.length; probe += MOST_IN_A_ROW) {
    if (text.charCodeAt(probe) !== text.charCodeAt(probe + width)) continue;
    let start = probe;
    while (start > floor && text.charCodeAt(start - 1) === text.charCodeAt(start - 1 + width)) {
      start -= 1;
    }
    let end = probe + width;
    while (end < text.length && text.charCodeAt(end) === text.charCodeAt(end - width)) end += 1;
    if (end - start >= least && isOneCharacter(text.slice(start, start + least + width)))
      return true;
    floor = end - width;
    probe = Math.max(probe, end - width - MOST_IN_A_ROW);
  }
  return false;
}

/** Returns whether a periodic text consists of one character, repeated often enough. */
function isOneCharacter(text: string): boolean {
  let last = "";
  let count = 0;
  for (const { segment } of charactersOf(text)) {
    count = segment === last ? count + 1 : 1;
    last = segment;
    if (count > MOST_IN_A_ROW) return true;
  }
  return false;
}

function charactersOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return segmenter.segment(text);
}
