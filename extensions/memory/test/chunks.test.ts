import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf } from "../src/chunks/chunker.js";
import { fuseRanks } from "../src/search/fusion.js";

interface Vectors {
  readonly chunker: {
    readonly vectors: readonly {
      readonly id: string;
      readonly input?: string;
      readonly input_words?: number;
      readonly config: readonly [number, number, number];
      readonly chunks?: readonly string[];
      readonly chunk_word_counts?: readonly number[];
      readonly first_words?: readonly string[];
      readonly last_words?: readonly string[];
    }[];
  };
  readonly rrf: readonly {
    readonly id: string;
    readonly fts: readonly string[];
    readonly vector: readonly string[];
    readonly k: number;
    readonly limit: number;
    readonly min_score: number;
    readonly expected: readonly {
      readonly chunk: string;
      readonly score: number;
      readonly fts_rank: number | null;
      readonly vector_rank: number | null;
    }[];
  }[];
}

const { chunker, rrf } = JSON.parse(
  readFileSync(new URL("vectors/core.json", import.meta.url), "utf8"),
) as Vectors;

const words = (count: number) =>
  Array.from({ length: count }, (_, index) => `w${index + 1}`).join(" ");

describe("chunks", () => {
  it.each(chunker.vectors)("[MEM-009] divides a text as the vector $id", (vector) => {
    const [size, overlap, minimum] = vector.config;
    const input = vector.input ?? words(vector.input_words ?? 0);
    const texts = chunksOf(input, { size, overlap, minimum }).map(({ text }) => text);
    const divided = texts.map((text) => text.split(" "));
    if (vector.chunks !== undefined) expect(texts).toEqual(vector.chunks);
    if (vector.chunk_word_counts === undefined) return;
    expect(divided.map(({ length }) => length)).toEqual(vector.chunk_word_counts);
    expect(divided.map((each) => each[0])).toEqual(vector.first_words);
    expect(divided.map((each) => each.at(-1))).toEqual(vector.last_words);
  });

  it("[MEM-009] keeps a short text as it is, limits the overlap, and joins a short last part", () => {
    expect(chunksOf("  one\n\n two ")).toEqual([{ text: "  one\n\n two ", offset: 0, size: 2 }]);
    const half = chunksOf(words(20), { size: 10, overlap: 0.9, minimum: 1 });
    expect(half.slice(0, 2).map(({ text }) => text.split(" ")[0])).toEqual(["w1", "w6"]);
    const joined = chunksOf(words(12), { size: 10, overlap: 0, minimum: 5 });
    expect(joined.map(({ size }) => size)).toEqual([12]);
  });

  it("[MEM-009] [MEM-010] loses no word, and starts each chunk at its offset", () => {
    const text = fc.array(fc.stringMatching(/^[a-zä🍵]{1,8}$/u), { maxLength: 200 });
    const sizes = fc.record({
      size: fc.integer({ min: 1, max: 40 }),
      overlap: fc.double({ min: 0, max: 0.6, noNaN: true }),
      minimum: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(text, sizes, (given, options) => {
        const input = given.join("  \n");
        const chunks = chunksOf(input, options);
        const found = new Set(chunks.flatMap((chunk) => chunk.text.split(/\s+/)));
        for (const word of given) expect(found).toContain(word);
        for (const { text: part, offset } of chunks) {
          expect(
            input
              .slice(offset)
              .trimStart()
              .startsWith(part.trimStart().split(/\s/)[0] ?? ""),
          ).toBe(true);
        }
        if (input.trim() === "") expect(chunks).toEqual([]);
      }),
    );
  });
});

describe("rank fusion", () => {
  it.each(rrf)("[MEM-013] fuses ranks as the vector $id", (vector) => {
    const { fts, vector: vectors, k, limit, min_score: minimumScore } = vector;
    const fused = fuseRanks(fts, vectors, { rankConstant: k, limit, minimumScore });
    expect(
      fused.map(({ id, score, fullTextRank, vectorRank }) => ({
        chunk: id,
        score: Number(score.toFixed(6)),
        fts_rank: fullTextRank ?? null,
        vector_rank: vectorRank ?? null,
      })),
    ).toEqual(vector.expected);
  });
});
