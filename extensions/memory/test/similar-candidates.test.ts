import { describe, expect, it } from "vitest";
import { calibrationOf } from "../src/search/calibration.js";
import { similarChunks } from "../src/search/similar-candidates.js";

const LIMITS = calibrationOf("local/embeddings-en-v1");

/** Candidates with these similarities; their chunks are numbered from 0. */
function candidates(similarities: readonly number[], text = "") {
  return similarities.map((similarity, chunk) => ({
    similarity,
    row: {
      ...{ chunk, document: "d", text, position: 0, path: "a.md" },
      ...{ updated_at: "2026-03-09T00:00:00.000Z", event_date: null },
    },
  }));
}

const unnamed = { names: [], topics: new Map<number, number>() };
const found = (...[given, query, limits]: Parameters<typeof similarChunks>) => [
  ...similarChunks(given, query, limits),
];

describe("chunks that are hits by similarity", () => {
  it("[MEM-051] are those above the limit when the best one is certain, or is well ahead of the others", () => {
    const crowd = Array.from({ length: 15 }, () => 0.52);
    expect(found(candidates([0.63, ...crowd]), unnamed, LIMITS)).toHaveLength(16);
    expect(found(candidates([0.57, ...crowd]), unnamed, LIMITS)).toEqual([]);
    const alone = Array.from({ length: 15 }, () => 0.4);
    expect(found(candidates([0.57, 0.51, ...alone]), unnamed, LIMITS)).toEqual([0, 1]);
    expect(found(candidates([0.49, ...alone]), unnamed, LIMITS)).toEqual([]);
    expect(found(candidates([0.56]), unnamed, LIMITS)).toEqual([0]);
    expect(found(candidates([0.52]), unnamed, LIMITS)).toEqual([]);
    expect(found([], unnamed, LIMITS)).toEqual([]);
  });

  it("[MEM-051] have the names of the query, and the best one is similar apart from them", () => {
    const about = candidates([0.7, 0.7, 0.7], "Ruth Haddad paints");
    const other = candidates([0.9], "Ada Almeida paints").map((each) => ({
      ...each,
      row: { ...each.row, chunk: 9 },
    }));
    const query = (...topics: readonly number[]) => ({
      names: ["Ruth", "Haddad"],
      topics: new Map([...topics.entries(), [9, 0.9]]),
    });
    expect(found([...about, ...other], query(0.3, 0.12, 0.05), LIMITS)).toEqual([0, 1]);
    expect(found([...about, ...other], query(0.27, 0.12, 0.05), LIMITS)).toEqual([]);
    const strict = { ...LIMITS, minimumNamedSimilarity: 0.8 };
    expect(found(about, query(0.3, 0.12, 0.05), strict)).toEqual([]);
  });

  it("of another model need a limit each, and names are words like others", () => {
    const other = calibrationOf("openai/text-embedding-3-small");
    const query = { names: ["Ruth"], topics: new Map() };
    expect(found(candidates([0.51, 0.49]), query, other)).toEqual([0]);
  });
});
