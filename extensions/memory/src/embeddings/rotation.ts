/** Smallest length of a rotated vector. */
const SHORTEST = 64;
/** One round leaves coordinates of sparse vectors far from a normal distribution. */
const ROUNDS = 3;

/**
 * Returns the length of rotated vectors: the next power of two.
 * @param dimension - length of the vectors
 */
export function rotatedLength(dimension: number): number {
  return Math.max(SHORTEST, 2 ** Math.ceil(Math.log2(dimension)));
}

/**
 * Rotates a vector at random, always in the same way: rounds of changed signs and a Hadamard transform. The result has
 * the same products with other rotated vectors, and coordinates of about equal variance, so that each can be rounded to
 * the same number of levels.
 */
export function rotate(vector: ArrayLike<number>): Float64Array {
  const length = rotatedLength(vector.length);
  const signs = signsOf(length);
  const rotated = new Float64Array(length);
  rotated.set(Array.from(vector));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let place = 0; place < length; place += 1) {
      rotated[place] = (rotated[place] ?? 0) * (signs[round * length + place] ?? 1);
    }
    transform(rotated);
  }
  const factor = length ** (-ROUNDS / 2);
  return rotated.map((value) => value * factor);
}

const known = new Map<number, Int8Array>();

/** Stored codes depend on these signs: they must stay the same on every machine. */
function signsOf(length: number): Int8Array {
  const found = known.get(length);
  if (found !== undefined) return found;
  let state = length;
  const signs = Int8Array.from({ length: length * ROUNDS }, () => {
    // The mixing function of MurmurHash3 over a counter.
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) & 1) === 0 ? 1 : -1;
  });
  known.set(length, signs);
  return signs;
}

function transform(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let place = start; place < start + half; place += 1) {
        const one = values[place] ?? 0;
        const other = values[place + half] ?? 0;
        values[place] = one + other;
        values[place + half] = one - other;
      }
    }
  }
}
