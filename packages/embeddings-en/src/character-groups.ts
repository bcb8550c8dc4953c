const SHORTEST = 3;
const LONGEST = 5;
/** Characters of a word that are considered; the rest of a longer one has no effect. */
const MOST_CHARACTERS = 64;

/**
 * Returns the rows of a table for the groups of 3 to 5 characters of a word, with marks at its start and end. Words
 * that share groups share rows, and so do a few others by chance.
 * @param word - word in lower case
 * @param rows - number of rows of the table
 */
export function characterGroupRows(word: string, rows: number): number[] {
  const marked = `<${word.slice(0, MOST_CHARACTERS)}>`;
  const found: number[] = [];
  for (let start = 0; start + SHORTEST <= marked.length; start += 1) {
    let hash = 0x811c9dc5;
    const end = Math.min(marked.length, start + LONGEST);
    for (let at = start; at < end; at += 1) {
      hash = Math.imul(hash ^ marked.charCodeAt(at), 0x01000193);
      if (at - start + 1 >= SHORTEST) found.push(mixed(hash) % rows);
    }
  }
  return found;
}

/** Mixes the bits of a hash, because those of similar groups differ in few of them (the finaliser of MurmurHash3). */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
