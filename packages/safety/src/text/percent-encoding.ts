import { applyEdits, type DerivedText } from "./derivation.js";
import type { Edit } from "./range.js";

const ENCODED = /%[2-7][0-9A-Fa-f]/y;
const ENCODED_ALL = /%([2-7][0-9A-Fa-f])/g;
/**
 * Maximum number of decoding rounds, because an encoded percent sign can hide a further encoding.
 */
const ROUNDS = 3;

/**
 * Returns the text with percent-encoded ASCII characters decoded, also those that were encoded
 * repeatedly.
 * @param from - text, which is returned unchanged when nothing in it is encoded
 */
export function percentDecoded(from: DerivedText): DerivedText {
  let decoded = from;
  for (let round = 0; round < ROUNDS && isEncoded(decoded.text); round += 1) {
    decoded = applyEdits(decoded, editsOf(decoded.text));
  }
  return decoded;
}

/** Searches for the percent sign first, because it is rare. */
function isEncoded(text: string): boolean {
  for (let sign = text.indexOf("%"); sign !== -1; sign = text.indexOf("%", sign + 1)) {
    ENCODED.lastIndex = sign;
    if (ENCODED.test(text)) return true;
  }
  return false;
}

function editsOf(text: string): Edit[] {
  return [...text.matchAll(ENCODED_ALL)].map(({ index, 0: sequence }) => ({
    range: [index, index + sequence.length],
    replacement: String.fromCharCode(Number.parseInt(sequence.slice(1), 16)),
  }));
}
