// Vectors of groups of characters, fitted so that their mean is close to the vector of the word that they form.
import { characterGroupRows } from "../src/character-groups.ts";

const ROUNDS = 12;
const FIRST_STEP = 0.5;

/**
 * Fits the vectors by gradient descent in a fixed order, so that the result is always the same.
 * @param {readonly string[]} words - words of the model
 * @param {Float32Array} vectors - rows of the words
 * @param {{ dimensions: number, groups: number }} shape - length and number of the vectors
 * @returns {Float32Array} rows of the groups
 */
export function characterVectors(words, vectors, { dimensions, groups }) {
  const table = new Float32Array(groups * dimensions);
  const rows = words.map((word) => characterGroupRows(word, groups));
  const error = new Float64Array(dimensions);
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = FIRST_STEP * (1 - round / ROUNDS);
    // Visits the words in an order that mixes frequent and rare ones.
    for (let visit = 0; visit < words.length; visit += 1) {
      const word = (visit * 7919) % words.length;
      const own = rows[word];
      for (let at = 0; at < dimensions; at += 1) {
        let sum = 0;
        for (const row of own) sum += table[row * dimensions + at];
        error[at] = vectors[word * dimensions + at] - sum / own.length;
      }
      for (const row of own) {
        for (let at = 0; at < dimensions; at += 1) {
          table[row * dimensions + at] += step * error[at];
        }
      }
    }
  }
  return table;
}
