/** Length of the vectors of {@link lexicalVector}. */
export const LEXICAL_DIMENSIONS = 512;

const WORD = /[\p{L}\p{N}]+/gu;
const SHORTEST_GROUP = 3;
const LONGEST_GROUP = 4;
/** Share of a word's weight that its groups of characters have together. */
const GROUP_WEIGHT = 0.5;

/**
 * Returns the lexical vector of a text (MEM-022): counts of its words and of their groups of 3 and 4 characters,
 * hashed to fixed positions, with length 1. Texts are similar when they share words or parts of words, in any
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
    for (const group of groups) add(sum, group, (weight * GROUP_WEIGHT) / Math.sqrt(groups.length));
  }
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
}

/** Returns the groups of characters of a word; whole characters, so that none is split. */
function characterGroups(word: string): string[] {
  const characters = ["<", ...word, ">"];
  const groups: string[] = [];
  for (let length = SHORTEST_GROUP; length <= LONGEST_GROUP; length += 1) {
    for (let start = 0; start + length <= characters.length; start += 1) {
      groups.push(characters.slice(start, start + length).join(""));
    }
  }
  return groups;
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
