import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockCache } from "../src/embeddings/block-cache.js";
import {
  areWhole,
  bestPositions,
  encodeVectors,
  productsOf,
  scoreCodes,
} from "../src/embeddings/vector-codes.js";

/** A generator of normally distributed numbers that always gives the same ones. */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Vectors around some centres, most of whose variance is in their first values, as in those of embedding models. */
function clustered(count: number, dimension: number, seed: number): Float32Array[] {
  const normal = normals(seed);
  const values = (spread: number, centre?: Float32Array) =>
    Float32Array.from(
      { length: dimension },
      (_, place) => (centre?.[place] ?? 0) + (spread * normal()) / Math.sqrt(1 + place / 4),
    );
  const centres = Array.from({ length: 20 }, () => values(1));
  return Array.from({ length: count }, (_, index) => values(0.7, centres[index % 20]));
}

function cosine(one: Float32Array, other: Float32Array): number {
  const product = one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
  return product / (Math.hypot(...one) * Math.hypot(...other));
}

/** Returns the share of the nearest 50 vectors that are among the best codes. */
function recallOf(vectors: readonly Float32Array[], query: Float32Array): number {
  const block = encodeVectors(
    vectors.map((vector, chunk) => ({ chunk, vector })),
    query.length,
  );
  const scores = new Float32Array(vectors.length);
  scoreCodes(block, productsOf(query), scores);
  const compared = new Set(bestPositions(scores, areWhole(query.length) ? 200 : 800));
  const nearest = vectors
    .map((vector, chunk) => ({ chunk, similarity: cosine(vector, query) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 50);
  return nearest.filter(({ chunk }) => compared.has(chunk)).length / 50;
}

describe("codes of vectors", () => {
  it.each([
    [64, 3000],
    [100, 3000],
    [128, 3000],
    [1536, 1500],
  ])("[MEM-049] find 99 %% of the nearest vectors of %i dimensions", (dimension, count) => {
    const [query = new Float32Array(), ...vectors] = clustered(count + 1, dimension, 7);
    const queries = [query, ...clustered(4, dimension, 11)];
    const recalls = queries.map((each) => recallOf(vectors, each));
    expect(recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length).toBeGreaterThan(0.99);
  });

  it("[MEM-049] have the direction of a vector, whatever its length", () => {
    const [vector = new Float32Array()] = clustered(1, 128, 3);
    const rows = [
      { chunk: 1, vector },
      { chunk: 2, vector: vector.map((value) => value * 1000) },
      { chunk: 3, vector: new Float32Array(128) },
      { chunk: 4, vector: vector.map((value) => -value) },
    ];
    const scores = new Float32Array(4);
    scoreCodes(encodeVectors(rows, 128), productsOf(vector), scores);
    const [one = 0, longer = 0, none, opposite = 0] = scores;
    expect(one).toBeCloseTo(1, 2);
    expect(longer).toBeCloseTo(one, 5);
    expect(none).toBeCloseTo(0);
    expect(opposite).toBeCloseTo(-1, 2);
  });

  it("are the same on every machine", () => {
    const vector = Float32Array.from({ length: 64 }, (_, place) => place - 20);
    const { codes } = encodeVectors([{ chunk: 1, vector }], 64);
    expect(Buffer.from(codes).toString("hex")).toMatchInlineSnapshot(
      `"4a675465757ac57dd78c51477c5a736655ab685b9a8998b2b69c35c7e5478516"`,
    );
  });

  it("gives the positions of the greatest scores, best first", () => {
    const scores = fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { maxLength: 200 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 50 }), (given, count) => {
        const values = Float32Array.from(given);
        const sorted = [...values].sort((a, b) => b - a);
        const found = bestPositions(values, count).map((position) => values[position]);
        expect(found.slice(0, count)).toEqual(sorted.slice(0, count));
      }),
    );
  });
});

describe("blocks in memory", () => {
  it("[MEM-049] are dropped when their last use is longest ago", () => {
    const block = (chunk: number) =>
      encodeVectors([{ chunk, vector: Float32Array.of(1, chunk) }], 64);
    const size = 8 + 4 + 32;
    const cache = new BlockCache(2 * size);
    cache.set(1, block(1));
    cache.set(2, block(2));
    cache.get(1);
    cache.set(3, block(3));
    expect([1, 2, 3].map((id) => cache.get(id) !== undefined)).toEqual([true, false, true]);
  });
});
