import { moveTestData, openTestStore } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryData } from "../../src/transfer/data-port.js";
import { lexicalEmbedder } from "./lexical-embedder.js";
import { fill, OWNER, openTestMemory, pathsFor, type TestPlace } from "./open-memory.js";

const NOTES = {
  "notes/tea.md": "Ada likes green tea in the morning.",
  "notes/coffee.md": "Bruno drinks black coffee after lunch.",
  "projects/heron.md": "Heron is written in Rust and stores data in SQLite.",
};

/** Two engines between which the memory moves. */
export interface MoveEngines {
  readonly name: string;
  readonly from: () => TestPlace;
  readonly to: () => TestPlace;
}

/**
 * Runs the tests of a move to another engine.
 * @param engines - source and target
 */
export function describeMove({ name, from, to }: MoveEngines): void {
  describe(`memory that moves ${name}`, () => {
    it("[MEM-640] finds the same documents by words and by meaning, without embedding anything again", async () => {
      const source = await opened(from());
      const target = await opened(to());
      const memory = await openTestMemory({ store: source.store }, { embedder: lexicalEmbedder() });
      await fill(memory, NOTES);
      await memory.documents.write(OWNER, {
        path: "notes/tags.md",
        content: "Tagged.",
        tags: ["b", "a"],
        eventDate: "2026-03-01",
        importance: 0.7,
      });
      await memory.embeddings?.idle();
      await memory.profiles.set(OWNER.user, { key: "city", value: "Lisbon", confidence: 0.9 });
      const before = await memory.documents.find(OWNER, "notes/tags.md");
      await memory.close();

      const tables = await moveTestData(memoryData, { from: source, to: target });
      expect(tables.filter(({ isEqual }) => !isEqual)).toEqual([]);
      expect(tables).toContainEqual({ table: "vectors", rows: 4, isEqual: true });

      const embedder = lexicalEmbedder();
      const moved = await openTestMemory({ store: target.store }, { embedder });
      moved.embeddings?.start();
      await moved.embeddings?.idle();
      await moved.texts.idle();
      expect(embedder.sent).toEqual([]);
      expect(await moved.documents.find(OWNER, "notes/tags.md")).toEqual(before);
      expect(await moved.profiles.list(OWNER.user)).toMatchObject([
        { key: "city", confidence: 0.9 },
      ]);
      expect(await pathsFor(moved, "green tea")).toContain("notes/tea.md");
      expect(await pathsFor(moved, "Who drinks coffee?")).toContain("notes/coffee.md");
      const { hits } = await moved.search.search(OWNER, { query: "heron data" });
      expect(hits[0]).toMatchObject({ path: "projects/heron.md" });
      // A new document continues the numbers of the copied ones.
      await fill(moved, { "notes/new.md": "Cleo plays chess on Sundays." });
      expect(await pathsFor(moved, "chess")).toContain("notes/new.md");
    });
  });
}

async function opened({ store, ...place }: TestPlace): Promise<Required<Pick<TestPlace, "store">>> {
  if (store !== undefined) return { store };
  const found = await openTestStore(place);
  onTestFinished(() => found.close());
  return found;
}
