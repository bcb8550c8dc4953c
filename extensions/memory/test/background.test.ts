import { describe, expect, it } from "vitest";
import type { SearchHit } from "../src/search/ranking.js";
import { withoutBackground } from "../src/turns/background.js";

/** Hits with this similarity and match each, best first; their chunks are numbered from 0. */
function hits(...evidence: readonly (readonly [number | undefined, number])[]): SearchHit[] {
  return evidence.map(([similarity, match], chunk) => ({
    ...{ path: "a.md", document: "d", chunk, text: "", score: 1, similarity, match },
    ...{ fullTextRank: 1, vectorRank: 1, fullText: undefined },
    ...{ updatedAt: "2026-03-09T00:00:00.000Z", eventDate: undefined },
  }));
}

const MODEL = "local/embeddings-en-v2";
const offered = (found: readonly SearchHit[], model: string | undefined = MODEL) =>
  withoutBackground(found, model).map(({ chunk }) => chunk);

describe("hits that are offered to a turn", () => {
  it("[MEM-051] are the best three, when one of them has words of the message or is similar to it", () => {
    const background = [0.2, 0.2] as const;
    expect(offered(hits([0.5, 0.4], background, background, background))).toEqual([0, 1, 2]);
    expect(offered(hits(background, background, [0.1, 0.6]))).toEqual([0, 1, 2]);
    expect(offered(hits([undefined, 0.5]), undefined)).toEqual([0]);
  });

  it("[MEM-051] are none when the best three are background, whatever is behind them", () => {
    const background = [0.3, 0.3] as const;
    expect(offered(hits(background, background, background, [0.9, 0.9]))).toEqual([]);
    expect(offered([])).toEqual([]);
  });

  it("[MEM-051] are found by their words where the model does not know the language", () => {
    expect(offered(hits([0, 0.31]))).toEqual([0]);
    expect(offered(hits([0, 0.29]))).toEqual([]);
  });

  it("[MEM-051] need less similarity with a model that was not measured", () => {
    expect(offered(hits([0.4, 0.2]), "openai/text-embedding-3-small")).toEqual([0]);
    expect(offered(hits([0.15, 0.2]), "openai/text-embedding-3-small")).toEqual([]);
  });
});
