/** Length of the vectors of {@link lexicalVector}. */
export const LEXICAL_DIMENSIONS = 512;

const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that do not put spaces between words: one or two characters are a word. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Returns the lexical vector of a text (MEM-022): counts of its words and of their groups of characters,
 * hashed to fixed positions, with length 1. Strings are similar when they share words or parts of words, in any
 * language; the vector knows no meaning. The vector of a text without letters and digits is zero.
 * @param text - text of any length
 * @param dimensions - length of the vector
 */
export function lexicalVector(text: string, dimensions = LEXICAL_DIMENSIONS): Float32Array {
  const counts = new Map<string, number>();
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  for (const [word] of folded.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sum = new Float64Array(dimensions);
  for (const [word, count] of counts) {
    // A word that is repeated a hundred times is not a hundred times as important.
    const weight = 1 + Math.log(count);
    add(sum, `=${word}`, weight);
    const groups = characterGroups(word);
    // Together the groups count as much as the word.
    for (const group of groups) add(sum, group, weight / Math.sqrt(groups.length));
  }
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
}

/**
 * Returns the groups of characters of a word: of 3 and 4 with marks at its start and end, or of 1 and 2 in scripts
 * without spaces. Characters are code points, so that none is split.
 */
function characterGroups(word: string): string[] {
  if (WITHOUT_SPACES.test(word)) return groupsOf([...word], [1, 2]);
  return groupsOf(["<", ...word, ">"], [3, 4]);
}

function groupsOf(characters: readonly string[], lengths: readonly number[]): string[] {
  return lengths.flatMap((length) =>
    characters
      .slice(0, Math.max(0, characters.length - length + 1))
      .map((_, start) => characters.slice(start, start + length).join("")),
  );
}

/** Adds a feature at its position. The sign makes features that share a position cancel out on average. */
function add(sum: Float64Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let index = 0; index < feature.length; index += 1) {
    hash = Math.imul(hash ^ feature.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  const position = (hash >>> 1) % sum.length;
  sum[position] = (sum[position] ?? 0) + ((hash & 1) === 0 ? weight : -weight);
}
