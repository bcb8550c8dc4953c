import { rotate, rotatedLength } from "./rotation.js";

/** Maximum number of coordinates in a code; of longer vectors these are a random projection. */
const MOST_COORDINATES = 512;
/** Levels of a coordinate, 4 bits. */
const LEVELS = 16;
/** Distance of two levels, of coordinates with the variance 1: the best one for 16 levels of a normal distribution. */
const STEP = 0.3352;
const VALUES_OF_BYTE = 256;
const BUCKETS = 1024;

/** Vectors of chunks, each rotated at random and rounded to 4 bits per coordinate. */
export interface CodeBlock {
  /** IDs of the chunks. */
  readonly chunks: Float64Array;
  /** Factor of each code, with which its product with a query estimates their cosine. */
  readonly scales: Float32Array;
  /** Codes, one after another; a byte has two coordinates. */
  readonly codes: Uint8Array;
}

/**
 * Returns true when codes of vectors have all their coordinates.
 * @param dimension - length of the vectors
 */
export function areWhole(dimension: number): boolean {
  return rotatedLength(dimension) <= MOST_COORDINATES;
}

/**
 * Encodes vectors. The direction of a vector is kept, its length is not.
 * @param rows - chunks and their vectors
 * @param dimension - length of the vectors
 */
export function encodeVectors(
  rows: readonly { readonly chunk: number; readonly vector: ArrayLike<number> }[],
  dimension: number,
): CodeBlock {
  const coordinates = coordinatesOf(dimension);
  const bytes = coordinates / 2;
  const codes = new Uint8Array(rows.length * bytes);
  const scales = new Float32Array(rows.length);
  for (const [row, { vector }] of rows.entries()) {
    const rotated = directionOf(vector, coordinates);
    let product = 0;
    const levelOf = (place: number) => {
      const value = rotated[place] ?? 0;
      const level = Math.floor((value * Math.sqrt(coordinates)) / STEP) + LEVELS / 2;
      const limited = Math.min(Math.max(level, 0), LEVELS - 1);
      product += value * levelValue(limited);
      return limited;
    };
    for (let byte = 0; byte < bytes; byte += 1) {
      codes[row * bytes + byte] = levelOf(2 * byte) + LEVELS * levelOf(2 * byte + 1);
    }
    scales[row] = product === 0 ? 0 : 1 / product;
  }
  return { chunks: Float64Array.from(rows, ({ chunk }) => chunk), scales, codes };
}

/**
 * Returns the codes of some chunks of a block.
 * @param kept - the chunks
 */
export function codesOf(block: CodeBlock, kept: ReadonlySet<number>): CodeBlock {
  const bytes = block.codes.length / block.chunks.length;
  const positions = [...block.chunks.keys()].filter((position) =>
    kept.has(block.chunks[position] ?? 0),
  );
  const codes = new Uint8Array(positions.length * bytes);
  for (const [row, position] of positions.entries()) {
    codes.set(block.codes.subarray(position * bytes, (position + 1) * bytes), row * bytes);
  }
  return {
    chunks: Float64Array.from(positions, (position) => block.chunks[position] ?? 0),
    scales: Float32Array.from(positions, (position) => block.scales[position] ?? 0),
    codes,
  };
}

/**
 * Returns the product of a query with each value of each byte of a code.
 * @param vector - vector of the query
 */
export function productsOf(vector: ArrayLike<number>): Float32Array {
  const rotated = directionOf(vector, coordinatesOf(vector.length));
  const products = new Float32Array((rotated.length / 2) * VALUES_OF_BYTE);
  for (let place = 0; place < products.length; place += 1) {
    const byte = Math.floor(place / VALUES_OF_BYTE);
    const value = place % VALUES_OF_BYTE;
    products[place] =
      (rotated[2 * byte] ?? 0) * levelValue(value % LEVELS) +
      (rotated[2 * byte + 1] ?? 0) * levelValue(Math.floor(value / LEVELS));
  }
  return products;
}

/**
 * Writes the estimated cosine of each vector of a block and a query.
 * @param block - the codes
 * @param products - products of the query, from {@link productsOf}
 * @param into - receives the results
 */
export function scoreCodes(
  { scales, codes }: CodeBlock,
  products: Float32Array,
  into: Float32Array,
): void {
  const t = products;
  const bytes = t.length / VALUES_OF_BYTE;
  for (let row = 0; row < scales.length; row += 1) {
    // Two sums and eight bytes at a time: a loop over single bytes takes twice as long.
    let a = 0;
    let b = 0;
    let k = 0;
    const end = (row + 1) * bytes;
    for (let p = row * bytes; p < end; p += 8) {
      a +=
        (t[k + (codes[p] ?? 0)] ?? 0) +
        (t[k + 256 + (codes[p + 1] ?? 0)] ?? 0) +
        (t[k + 512 + (codes[p + 2] ?? 0)] ?? 0) +
        (t[k + 768 + (codes[p + 3] ?? 0)] ?? 0);
      b +=
        (t[k + 1024 + (codes[p + 4] ?? 0)] ?? 0) +
        (t[k + 1280 + (codes[p + 5] ?? 0)] ?? 0) +
        (t[k + 1536 + (codes[p + 6] ?? 0)] ?? 0) +
        (t[k + 1792 + (codes[p + 7] ?? 0)] ?? 0);
      k += 2048;
    }
    into[row] = (a + b) * (scales[row] ?? 0);
  }
}

/**
 * Returns the positions of the greatest scores, best first; a few more than asked for where scores are nearly equal.
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

function coordinatesOf(dimension: number): number {
  return Math.min(rotatedLength(dimension), MOST_COORDINATES);
}

/** Returns the first coordinates of a rotated vector, as a vector of length 1. */
function directionOf(vector: ArrayLike<number>, coordinates: number): Float64Array {
  const rotated = rotate(vector).subarray(0, coordinates);
  const length = Math.hypot(...rotated);
  return length === 0 ? rotated : rotated.map((value) => value / length);
}

/** Value that a level of a coordinate stands for: the middle between its limits. */
function levelValue(level: number): number {
  return level - (LEVELS - 1) / 2;
}
