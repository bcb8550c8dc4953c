// Removes from the vectors of words the direction that all texts have in common, so that texts without a common subject
// are not similar (the last step of SIF).

/** Words of a typical text. */
const TEXT_LENGTH = 20;
const ROUNDS = 50;

/**
 * Returns the first principal component of the weighted sums of random texts, by power iteration: their second moments
 * follow from the frequencies of the words.
 * @param {readonly { vector: ArrayLike<number>, weight: number, share: number }[]} entries - vector of each word, its
 *   weight in the vector of a text, and its share of all words
 * @param {number} dimensions - length of the vectors
 */
export function commonDirection(entries, dimensions) {
  const mean = new Float64Array(dimensions);
  const moments = new Float64Array(dimensions * dimensions);
  for (const { vector, weight, share } of entries) {
    for (let row = 0; row < dimensions; row += 1) {
      mean[row] += share * weight * vector[row];
      const scaled = share * weight * weight * vector[row];
      for (let column = 0; column < dimensions; column += 1) {
        moments[row * dimensions + column] += scaled * vector[column];
      }
    }
  }
  let direction = unit(mean);
  for (let round = 0; round < ROUNDS; round += 1) {
    const along = dot(mean, direction) * (TEXT_LENGTH - 1);
    direction = unit(
      mean.map((value, row) => {
        const part = moments.subarray(row * dimensions, (row + 1) * dimensions);
        return along * value + dot(part, direction);
      }),
    );
  }
  return direction;
}

/**
 * Returns a vector without its part in a direction.
 * @param {ArrayLike<number>} vector - the vector
 * @param {Float64Array} direction - a direction of length 1
 */
export function withoutDirection(vector, direction) {
  const along = dot(vector, direction);
  return direction.map((value, at) => vector[at] - along * value);
}

function dot(one, other) {
  let sum = 0;
  for (let at = 0; at < other.length; at += 1) sum += one[at] * other[at];
  return sum;
}

function unit(vector) {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}
