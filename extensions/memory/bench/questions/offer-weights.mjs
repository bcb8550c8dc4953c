/**
 * Fits the weights of `src/turns/background.ts`, which decides whether a turn is offered notes, with the queries for tuning and
 * the messages without an answer, and prints them with the figures of a cross-validation.
 * Run it with `pnpm exec node`.
 */
import { OWNER } from "../bench-memory.mjs";
import { openQuestionMemory, rowsOf } from "./memory.mjs";

const { evidenceOf } = await import("../../src/turns/background.ts");

/** Messages in the words of a note are decided easily, so that they count less than those in other words. */
const COUNTED = { words: 0.3, translation: 0.3, paraphrase: 1, none: 0.7 };
const RIDGE = 1;
const STEPS = 30;
const FOLDS = 10;
const ROUNDS = 8;
/** Shares of the messages without an answer that are offered something. */
const WRONG = [0.05, 0.1, 0.15, 0.2, 0.3];
const OFFERS = [3, 5, 8];
const LIMIT = 10;

const { memory, close } = await openQuestionMemory();
const samples = [];
for (const row of [...rowsOf("tuning"), ...rowsOf("messages")]) {
  const found = await memory.search.search(OWNER, { query: row.text, limit: LIMIT });
  const evidence = evidenceOf(found.hits, found.terms, row.text);
  const place = found.hits.findIndex(({ path }) => row.relevant.includes(path));
  samples.push({ ...row, evidence, place: place === -1 ? Number.POSITIVE_INFINITY : place });
}
await close();
const names = Object.keys(samples[0].evidence);

// Weights of signs that vary little may be larger; the constant is free.
const ridges = [1e-6, ...names.map((name) => RIDGE * varianceOf(name))];
const scores = crossValidated();
const without = samples.flatMap(({ kind }, index) => (kind === "none" ? [scores[index]] : []));
without.sort((one, other) => other - one);
const weights = fit(samples);
for (const [index, name] of ["constant", ...names].entries()) {
  print(`  ${name}: ${weights[index].toFixed(2)},`);
}
print(
  "\nwithout an answer | from | other words offered | note in 3 | in 5 | in 8 | own words in 3",
);
for (const share of WRONG) {
  const limit = without[Math.floor(share * without.length)];
  const isOffered = (_, index) => scores[index] > limit;
  const shareOf = (kind, isIn) => {
    const asked = samples.filter((sample) => sample.kind === kind).length;
    const offered = samples.filter(isOffered).filter((sample) => sample.kind === kind);
    return (offered.filter(isIn).length / asked).toFixed(2);
  };
  const within =
    (most) =>
    ({ place }) =>
      place < most;
  const offered = OFFERS.map((most) => shareOf("paraphrase", within(most)));
  const any = shareOf("paraphrase", () => true);
  print([share, limit.toFixed(2), any, ...offered, shareOf("words", within(3))].join(" | "));
}

/** Returns the score of each sample with weights that were fitted without it. */
function crossValidated() {
  const sums = samples.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = shuffled(samples.length, round + 1);
    for (let fold = 0; fold < FOLDS; fold += 1) {
      const left = new Set(order.filter((_, place) => place % FOLDS === fold));
      const fitted = fit(samples.filter((_, index) => !left.has(index)));
      for (const index of left) sums[index] += score(fitted, samples[index]) / ROUNDS;
    }
  }
  return sums;
}

/** Fits a logistic regression by Newton's method. */
function fit(chosen) {
  const size = names.length + 1;
  let found = new Array(size).fill(0);
  for (let step = 0; step < STEPS; step += 1) {
    const matrix = found.map((_, row) =>
      found.map((_, column) => (row === column ? (ridges[row] ?? 0) : 0)),
    );
    const gradient = found.map((weight, index) => -(ridges[index] ?? 0) * weight);
    for (const sample of chosen) {
      const values = valuesOf(sample);
      const probability = 1 / (1 + Math.exp(-score(found, sample)));
      const counted = COUNTED[sample.kind];
      const error = counted * ((sample.kind === "none" ? 0 : 1) - probability);
      const curvature = counted * probability * (1 - probability);
      for (let row = 0; row < size; row += 1) {
        gradient[row] += error * values[row];
        for (let column = 0; column < size; column += 1) {
          matrix[row][column] += curvature * values[row] * values[column];
        }
      }
    }
    const change = solved(matrix, gradient);
    found = found.map((weight, index) => weight + change[index]);
  }
  return found;
}

function varianceOf(name) {
  const values = samples.map(({ evidence }) => evidence[name]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}

/** Solves a system of linear equations by elimination. */
function solved(matrix, right) {
  const rows = matrix.map((row, index) => [...row, right[index]]);
  for (let pivot = 0; pivot < rows.length; pivot += 1) {
    for (let row = 0; row < rows.length; row += 1) {
      if (row === pivot) continue;
      const factor = rows[row][pivot] / rows[pivot][pivot];
      for (let column = pivot; column <= rows.length; column += 1) {
        rows[row][column] -= factor * rows[pivot][column];
      }
    }
  }
  return rows.map((row, index) => row[rows.length] / row[index]);
}

function score(fitted, sample) {
  return valuesOf(sample).reduce((sum, value, index) => sum + value * fitted[index], 0);
}

function valuesOf({ evidence }) {
  return [1, ...names.map((name) => evidence[name])];
}

/** Returns the numbers below a length in an order that a seed gives. */
function shuffled(length, seed) {
  let state = seed * 2654435761;
  const keyed = Array.from({ length }, (_, index) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return { index, key: state };
  });
  return keyed.sort((one, other) => one.key - other.key).map(({ index }) => index);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
