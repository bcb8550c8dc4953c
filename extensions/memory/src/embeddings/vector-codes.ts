/** Largest absolute value of a number of a code. */
const LARGEST = 127;
const BUCKETS = 1024;

/** Vectors of chunks, rounded to one byte per number. */
export interface CodeBlock {
  /** IDs of the chunks. */
  readonly chunks: Float64Array;
  /** Factor of each code that makes its vector one of length 1. */
  readonly scales: Float32Array;
  /** Codes, one after another. */
  readonly codes: Int8Array;
}

/**
 * Rounds vectors to codes. The direction of a vector is kept, its length is not.
 * @param rows - chunks and their vectors
 * @param dimension - length of the vectors
 */
export function encodeVectors(
  rows: readonly { readonly chunk: number; readonly vector: ArrayLike<number> }[],
  dimension: number,
): CodeBlock {
  const codes = new Int8Array(rows.length * dimension);
  const scales = new Float32Array(rows.length);
  for (const [row, { vector }] of rows.entries()) {
    let square = 0;
    let largest = 0;
    for (let index = 0; index < dimension; index += 1) {
      const value = vector[index] ?? 0;
      square += value * value;
      largest = Math.max(largest, Math.abs(value));
    }
    if (largest === 0) continue;
    const factor = LARGEST / largest;
    scales[row] = 1 / (factor * Math.sqrt(square));
    for (let index = 0; index < dimension; index += 1) {
      codes[row * dimension + index] = Math.round((vector[index] ?? 0) * factor);
    }
  }
  return { chunks: Float64Array.from(rows, ({ chunk }) => chunk), scales, codes };
}

/**
 * Returns the codes of some chunks of a block.
 * @param block - the codes
 * @param kept - the chunks
 */
export function codesOf(block: CodeBlock, kept: ReadonlySet<number>): CodeBlock {
  const dimension = block.codes.length / block.chunks.length;
  const positions = [...block.chunks.keys()].filter((position) =>
    kept.has(block.chunks[position] ?? 0),
  );
  const codes = new Int8Array(positions.length * dimension);
  for (const [row, position] of positions.entries()) {
    codes.set(
      block.codes.subarray(position * dimension, (position + 1) * dimension),
      row * dimension,
    );
  }
  return {
    chunks: Float64Array.from(positions, (position) => block.chunks[position] ?? 0),
    scales: Float32Array.from(positions, (position) => block.scales[position] ?? 0),
    codes,
  };
}

/**
 * Writes the approximate similarity of each vector of a block to a query. The results order vectors; they are cosines
 * times a constant.
 * @param block - the codes
 * @param asked - code of the query
 * @param into - receives the results
 */
export function scoreCodes(
  { scales, codes }: CodeBlock,
  asked: Int32Array,
  into: Float32Array,
): void {
  const dimension = asked.length;
  const whole = dimension - (dimension % 4);
  for (let row = 0; row < scales.length; row += 1) {
    const first = row * dimension;
    // Four sums, because each addition of one sum would wait for the one before it.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let index = 0;
    for (; index < whole; index += 4) {
      const place = first + index;
      a = (a + Math.imul(codes[place] ?? 0, asked[index] ?? 0)) | 0;
      b = (b + Math.imul(codes[place + 1] ?? 0, asked[index + 1] ?? 0)) | 0;
      c = (c + Math.imul(codes[place + 2] ?? 0, asked[index + 2] ?? 0)) | 0;
      d = (d + Math.imul(codes[place + 3] ?? 0, asked[index + 3] ?? 0)) | 0;
    }
    for (; index < dimension; index += 1) {
      a = (a + Math.imul(codes[first + index] ?? 0, asked[index] ?? 0)) | 0;
    }
    into[row] = (a + b + c + d) * (scales[row] ?? 0);
  }
}

/**
 * Returns the code of a query for {@link scoreCodes}.
 * @param vector - vector of the query
 */
export function encodeQuery(vector: ArrayLike<number>): Int32Array {
  return Int32Array.from(encodeVectors([{ chunk: 0, vector }], vector.length).codes);
}

/**
 * Returns the positions of the greatest scores, best first; a few more than asked for where scores are nearly equal.
 * @param scores - the scores
 * @param count - number of positions
 */
export function bestPositions(scores: Float32Array, count: number): number[] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    if (score < least) least = score;
    if (score > most) most = score;
  }
  // A histogram finds the limit in one pass; sorting 100,000 scores would take longer than computing them.
  const width = (most - least) / BUCKETS || 1;
  const bucketOf = (score: number) => Math.min(BUCKETS - 1, Math.floor((score - least) / width));
  const sizes = new Uint32Array(BUCKETS);
  for (const score of scores) {
    const bucket = bucketOf(score);
    sizes[bucket] = (sizes[bucket] ?? 0) + 1;
  }
  let lowest = BUCKETS - 1;
  for (let found = sizes[lowest] ?? 0; found < count && lowest > 0; found += sizes[lowest] ?? 0) {
    lowest -= 1;
  }
  const best: number[] = [];
  for (let position = 0; position < scores.length; position += 1) {
    if (bucketOf(scores[position] ?? 0) >= lowest) best.push(position);
  }
  return best.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
}
