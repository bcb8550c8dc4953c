import { describe, expect, it } from "vitest";
import { reindex } from "../src/reindex.js";
import { lackingStore } from "./support/lacking-store.js";
import { lexicalEmbedder } from "./support/lexical-embedder.js";
import { fill, OWNER, openTestMemory, pathsFor } from "./support/open-memory.js";

const CODES = { codeSizes: { from: 20, block: 16 } };
const WORDS = ["tea", "coffee", "bicycle", "garden", "harbour", "violin", "ledger", "comet"];

/** Notes with different vectors. */
function notes(from: number, to: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: to - from }, (_, offset) => {
      const number = from + offset;
      const words = [1, 3, 5].map((step) => WORDS[(number * step) % WORDS.length]);
      return [
        `${number % 2 === 0 ? "even" : "odd"}/${number}.md`,
        `${words.join(" ")} x${number}y`,
      ];
    }),
  );
}

async function counts(memory: Awaited<ReturnType<typeof openTestMemory>>) {
  const [row] = await memory.database.query<{ coded: number; uncoded: number }>(
    "select (select coalesce(sum(size), 0) from code_blocks) as coded, (select count(*) from uncoded) as uncoded",
  );
  return row;
}

describe("search by codes", () => {
  it("[MEM-049] begins with the number of vectors of an owner, and finds what a comparison of all finds", async () => {
    const coded = await openTestMemory({}, { embedder: lexicalEmbedder(), ...CODES });
    const exact = await openTestMemory({}, { embedder: lexicalEmbedder() });
    await fill(coded, notes(0, 19));
    expect(await counts(coded)).toEqual({ coded: 0, uncoded: 19 });
    await fill(coded, notes(19, 75));
    await fill(exact, notes(0, 75));
    expect(await counts(coded)).toEqual({ coded: 64, uncoded: 11 });
    expect(await counts(exact)).toEqual({ coded: 0, uncoded: 75 });
    for (const query of ["green tea in the harbour", "x70y", "x3y comet", "the violin"]) {
      const found = await coded.search.search(OWNER, { query });
      const expected = await exact.search.search(OWNER, { query });
      const shown = ({ hits }: typeof found) =>
        hits.map(({ path, similarity, vectorRank }) => ({ path, similarity, vectorRank }));
      expect(shown(found)).toEqual(shown(expected));
    }
  });

  it("[MEM-049] leaves out deleted, changed and filtered documents, and replaces blocks with many of them", async () => {
    const memory = await openTestMemory({}, { embedder: lexicalEmbedder(), ...CODES });
    await fill(memory, notes(0, 64));
    const query = "x10y tea";
    expect((await pathsFor(memory, query))[0]).toBe("even/10.md");
    await fill(memory, { "even/10.md": "something else entirely" });
    expect(await pathsFor(memory, query)).not.toContain("even/10.md");
    // Half of the vectors, so that they have codes; and few, which are compared as they are.
    expect((await pathsFor(memory, "x13y", { paths: ["odd"] }))[0]).toBe("odd/13.md");
    expect(await pathsFor(memory, "x13y", { paths: ["even"] })).not.toContain("odd/13.md");
    expect(await pathsFor(memory, "x13y", { paths: ["odd/13.md"] })).toEqual(["odd/13.md"]);
    for (let number = 0; number < 30; number += 1) {
      if (number !== 13) {
        await memory.documents.remove(OWNER, `${number % 2 === 0 ? "even" : "odd"}/${number}.md`);
      }
    }
    await fill(memory, { "new.md": "written after the others were deleted" });
    expect(await counts(memory)).toEqual({ coded: 35, uncoded: 1 });
    expect((await pathsFor(memory, "x13y"))[0]).toBe("odd/13.md");
    expect((await pathsFor(memory, "x63y"))[0]).toBe("odd/63.md");
    expect((await pathsFor(memory, "written after others"))[0]).toBe("new.md");
  });

  it("[MEM-017] [MEM-049] needs no vector functions, and no second code of a chunk that is embedded again", async () => {
    const memory = await openTestMemory(
      { store: await lackingStore("vectors") },
      { embedder: lexicalEmbedder(), ...CODES },
    );
    await fill(memory, notes(0, 64));
    await reindex(memory);
    memory.embeddings?.start();
    await memory.embeddings?.idle();
    expect(await counts(memory)).toEqual({ coded: 64, uncoded: 0 });
    expect((await pathsFor(memory, "x13y"))[0]).toBe("odd/13.md");
  });
});
