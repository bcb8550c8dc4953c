import { describe, expect, it } from "vitest";
import { termsOf } from "../src/search/query-terms.js";
import type { SearchHit } from "../src/search/ranking.js";
import { withoutBackground } from "../src/turns/background.js";

interface Hit {
  readonly match: number;
  readonly coverage?: number;
  readonly similarity?: number;
}

/** Ten hits, of which the first has this evidence and the others have less; their chunks are numbered from 0. */
function hitsOf(...first: readonly Hit[]): SearchHit[] {
  const rest = Array.from({ length: 10 - first.length }, () => ({ match: 0.1 }));
  return [...first, ...rest].map(({ match, coverage = 0, similarity }: Hit, chunk) => ({
    ...{ path: "a.md", document: "d", chunk, text: "", score: 1, similarity, match },
    ...{ fullTextRank: 1, vectorRank: 1, fullText: { weight: 1, coverage } },
    ...{ updatedAt: "2026-03-09T00:00:00.000Z", eventDate: undefined },
  }));
}

const MODEL = "local/embeddings-en-v2";

/** Number of hits that a turn with this message is offered. `known` are words that notes have. */
function offered(
  message: string,
  hit: Hit,
  { model = MODEL, known = [] as readonly string[] } = {},
): number {
  const terms = termsOf(message).map((term) => {
    return { ...term, count: known.includes(term.word) ? 1 : 0, weight: 1 };
  });
  return withoutBackground({ hits: hitsOf(hit), model, terms }, message).length;
}

const OTHER_WORDS = { match: 0.45 };

describe("hits that are offered to a turn", () => {
  it("[MEM-051] are three for a message in the words of a note, and eight for one in other words", () => {
    expect(offered("who has the spare key", { match: 1, coverage: 1 })).toBe(3);
    expect(offered("where did we stay after our wedding", OTHER_WORDS)).toBe(8);
  });

  it.each([
    ["an order of a text", "write a haiku about autumn rain"],
    ["an order that mentions the sender", "translate this letter to my landlord into Spanish"],
    ["small talk", "ok, great work, thanks"],
    ["general knowledge", "what is the capital of a country"],
    ["a message about the agent", "what can you do when it rains"],
    ["any thing of a kind", "how many calories does an avocado have"],
  ])("[MEM-051] are none for %s", (_, message) => {
    expect(offered(message, OTHER_WORDS)).toBe(0);
  });

  it("[MEM-051] are none for a name that no note has, unless the note has the other words", () => {
    const message = "what did the plumber in Madrid charge us";
    expect(offered(message, { match: 0.35 })).toBe(0);
    expect(offered(message, { match: 0.35 }, { known: ["madrid"] })).toBe(8);
    expect(offered("What did Leo want for our party?", { match: 1, coverage: 1 })).toBe(3);
  });

  it.each([
    "can you tell me where we keep the other key",
    "Hi, do you remember which vaccines I need?",
    "please list my allergies against medicines",
  ])("[MEM-051] are found for a message in a polite frame: %s", (message) => {
    expect(offered(message, OTHER_WORDS)).toBe(8);
  });

  it("[MEM-051] are found for general knowledge when a note has nearly all words of the message", () => {
    const message = "what is the name of the boiler";
    expect(offered(message, { match: 0.8, coverage: 0.7 })).toBe(0);
    expect(offered(message, { match: 0.8, coverage: 0.8 })).toBe(3);
    expect(offered("what do you think about rain", { match: 0.95, coverage: 0.95 })).toBe(0);
  });

  it("[MEM-051] are found for one sentence of a long message", () => {
    const order =
      "Please write a short text for a card in a friendly tone, with a joke about rain in it.";
    expect(offered(`${order} ${order}`, OTHER_WORDS)).toBe(0);
    expect(offered(`${order} Where did we stay after our wedding in spring?`, OTHER_WORDS)).toBe(8);
  });

  it("[MEM-051] are found by their words in a language of which no signs are known", () => {
    expect(offered("wo kann Besuch schlafen", { match: 0.34 })).toBe(8);
    expect(offered("wo kann Besuch schlafen", { match: 0.2 })).toBe(0);
    expect(offered("备用钥匙", { match: 0.3 })).toBe(8);
  });

  it("[MEM-051] need similarity and match alone with a model that was not measured, and without vectors", () => {
    const other = { model: "openai/text-embedding-3-small" };
    const message = "write a haiku about autumn rain";
    expect(offered(message, { similarity: 0.4, match: 0.2 }, other)).toBe(3);
    expect(offered(message, { similarity: 0.15, match: 0.2 }, other)).toBe(0);
    const without = withoutBackground(
      { hits: hitsOf({ match: 0.5 }), model: undefined, terms: [] },
      message,
    );
    expect(without).toHaveLength(3);
    expect(offered(message, { similarity: 0, match: 0.31 }, other)).toBe(3);
    expect(offered(message, { similarity: 0, match: 0.29 }, other)).toBe(0);
  });

  it("[MEM-051] are none when the first five are background, whatever is behind them", () => {
    const background = Array.from({ length: 5 }, () => ({ match: 0.1 }));
    const hits = hitsOf(...background, { match: 1, coverage: 1 });
    const found = { hits, model: MODEL, terms: [] };
    expect(withoutBackground(found, "what about the rain")).toEqual([]);
    expect(withoutBackground({ ...found, hits: [] }, "where did we stay")).toEqual([]);
  });
});
