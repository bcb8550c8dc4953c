import { describe, expect, it } from "vitest";
import { chunksOf } from "../../src/chunks/chunker.js";
import { treeOf } from "../../src/documents/tree.js";
import type { MemoryOptions } from "../../src/memory.js";
import { describeLanguages } from "./language-suite.js";
import { lexicalEmbedder } from "./lexical-embedder.js";
import { fill, OWNER, openTestMemory, pathsFor, START, type TestPlace } from "./open-memory.js";

const NOTES = {
  "notes/tea.md": "Ada likes green tea in the morning.",
  "notes/coffee.md": "Bruno drinks black coffee after lunch.",
  "projects/heron.md": "Heron is written in Rust and stores data in SQLite.",
  "daily/2026-03-08.md": "Repaired the bicycle with Ada.",
};

/** Properties of a database under test. */
export interface SuiteEngine {
  readonly name: string;
  readonly dialect: "sqlite" | "postgres";
  readonly vectors: "sqlite-vec" | "libsql" | "pgvector" | "none";
  /** Returns an empty database. */
  readonly place: () => TestPlace;
  /** Options of each memory. */
  readonly options?: MemoryOptions;
}

/** Runs the tests that every database engine passes (MEM-019). */
export function describeMemory({ name, dialect, vectors, place, options = {} }: SuiteEngine): void {
  const open = (more: Parameters<typeof openTestMemory>[1] = {}) =>
    openTestMemory(place(), { embedder: lexicalEmbedder(), ...options, ...more });

  describe(`memory on ${name}`, () => {
    it(`[${dialect === "sqlite" ? "MEM-017" : "MEM-018"}] [MEM-019] has full text, and as vector functions: ${vectors}`, async () => {
      const { database } = await open();
      expect(database).toMatchObject({ dialect, hasFullText: true });
      expect(database.vectors.extension).toBe(vectors);
      const slow = expect.stringMatching(/compared in JavaScript/);
      expect(database.notices).toEqual(vectors === "none" ? [slow] : []);
    });

    it("[MEM-001] a document has content, times and metadata, and its path is unique per user and agent", async () => {
      const { documents } = await open();
      await documents.write(OWNER, { path: "a.md", content: "one" });
      await documents.write(
        { ...OWNER, agent: "other" },
        { path: "a.md", content: "of another agent" },
      );
      await documents.write(OWNER, {
        path: "a.md",
        content: "two",
        sourceUrl: "https://example.com/a",
        eventDate: "2026-03-01",
        importance: 0.9,
        tags: ["home", "plan"],
      });
      expect(await documents.list(OWNER)).toHaveLength(1);
      expect(await documents.find(OWNER, "a.md")).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        path: "a.md",
        content: "two",
        createdAt: new Date(START).toISOString(),
        updatedAt: new Date(START).toISOString(),
        sourceUrl: "https://example.com/a",
        eventDate: "2026-03-01",
        importance: 0.9,
        accessCount: 0,
        lastAccessedAt: undefined,
        tags: ["home", "plan"],
      });
      await documents.write(OWNER, { path: "b.md", content: "three" });
      expect(await documents.find(OWNER, "b.md")).toMatchObject({ importance: 0.5, tags: [] });
      for (const wrong of [{ importance: 2 }, { eventDate: "2026-02-30" }, { tags: [""] }]) {
        await expect(
          documents.write(OWNER, { path: "a.md", content: "x", ...wrong }),
        ).rejects.toMatchObject({ code: "MEMORY_INVALID_PARAMETER" });
      }
    });

    it("[MEM-004] appends after a blank line, and daily entries with the time in the user's zone", async () => {
      const { documents, notes } = await open();
      await documents.write(OWNER, { path: "a.md", content: "one\n", append: true });
      await documents.write(OWNER, { path: "a.md", content: "two", append: true });
      expect((await documents.find(OWNER, "a.md"))?.content).toBe("one\n\ntwo");
      await notes.log(OWNER, "watered the plants");
      // Lisbon has the same time as UTC in winter.
      expect((await documents.find(OWNER, "daily/2026-03-09.md"))?.content).toBe(
        "[23:30:15] watered the plants",
      );
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          documents.write(OWNER, { path: "log.md", content: `entry ${index}.`, append: true }),
        ),
      );
      const log = (await documents.find(OWNER, "log.md"))?.content ?? "";
      for (let index = 0; index < 20; index += 1) expect(log).toContain(`entry ${index}.`);
    });

    it("[MEM-005] lists a folder with kind, size and time, down to the requested depth", async () => {
      const { documents } = await open();
      await documents.writeAll(OWNER, [
        { path: "projects/a/plan.md", content: "12345" },
        { path: "projects/a/deep/er/still.md", content: "1" },
        { path: "projects/b.md", content: "äö" },
        { path: "projectsX.md", content: "x" },
      ]);
      const listed = await documents.list(OWNER, "/projects/");
      const [a, b] = treeOf(listed, "projects", 1);
      const updatedAt = new Date(START).toISOString();
      expect(a).toEqual({
        name: "a",
        path: "projects/a",
        kind: "folder",
        bytes: 6,
        updatedAt,
        documents: 2,
      });
      expect(b).toEqual({
        name: "b.md",
        path: "projects/b.md",
        kind: "document",
        bytes: 4,
        updatedAt,
      });
      const deep = JSON.stringify(treeOf(await documents.list(OWNER), ""));
      expect(deep).toContain("deep");
      expect(deep).not.toContain("still.md");
      expect(() => treeOf(listed, "", 11)).toThrow("depth");
    });

    it("[MEM-006] shows a user nothing of another user or agent", async () => {
      const memory = await open();
      await fill(memory, NOTES);
      for (const owner of [
        { user: "telegram:7", agent: "main" },
        { user: "owner", agent: "other" },
      ]) {
        await fill(memory, { "own.md": "green tea of somebody else" }, owner);
        const { hits } = await memory.search.search(owner, { query: "green tea" });
        expect(hits.map(({ path }) => path)).toEqual(["own.md"]);
        expect((await memory.documents.list(owner)).map(({ path }) => path)).toEqual(["own.md"]);
        await expect(memory.documents.read(owner, "notes/tea.md")).rejects.toMatchObject({
          code: "MEMORY_NOT_FOUND",
        });
        await expect(
          memory.connections.create(owner, {
            sourcePath: "own.md",
            targetPath: "notes/tea.md",
            type: "updates",
          }),
        ).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
      }
      await memory.spaces.create(OWNER, "private");
      await memory.profiles.set("owner", { key: "name", value: "Ada" });
      const stranger = { user: "telegram:7", agent: "main" };
      expect(await memory.spaces.list(stranger)).toEqual([]);
      expect(await memory.profiles.list("telegram:7")).toEqual([]);
      await expect(memory.spaces.contents(stranger, "private")).rejects.toThrow("not found");
      expect(await pathsFor(memory, "green tea")).not.toContain("own.md");
    });

    it("[MEM-007] counts reads without changing the time of the last change", async () => {
      const clock = { now: START };
      const { documents } = await open({ clock });
      await documents.write(OWNER, { path: "a.md", content: "one" });
      clock.now += 5000;
      await documents.read(OWNER, "a.md");
      await documents.read(OWNER, "a.md");
      expect(await documents.find(OWNER, "a.md")).toMatchObject({
        accessCount: 2,
        lastAccessedAt: new Date(START + 5000).toISOString(),
        updatedAt: new Date(START).toISOString(),
      });
    });

    it("[MEM-008] stores content and chunks together, and embeds them afterwards", async () => {
      const memory = await open();
      const first = Array.from({ length: 900 }, (_, index) => `first${index}`).join(" ");
      await fill(memory, { "a.md": first });
      const chunks = chunksOf(first).length;
      expect(chunks).toBeGreaterThan(1);
      expect(await memory.embeddings?.status()).toMatchObject({ chunks, pending: 0 });
      await fill(memory, { "a.md": "replaced by something short" });
      expect(await memory.embeddings?.status()).toMatchObject({ chunks: 1, pending: 0 });
      const { hits } = await memory.search.search(OWNER, { query: "first17" });
      expect(hits.map(({ text, fullText }) => ({ text, fullText }))).toEqual([
        { text: "replaced by something short", fullText: undefined },
      ]);
      expect(await pathsFor(memory, "replaced")).toEqual(["a.md"]);
      const failing = memory.documents.writeAll(OWNER, [
        { path: "b.md", content: "b" },
        { path: "../c.md", content: "c" },
      ]);
      await expect(failing).rejects.toThrow("..");
      expect(await memory.documents.find(OWNER, "b.md")).toBeUndefined();
    });

    it("[MEM-010] stores text, position and the model of each chunk, and none for a blank text", async () => {
      const memory = await open();
      const words = Array.from({ length: 1000 }, (_, index) => `w${index}`).join(" ");
      await fill(memory, { "long.md": words, "blank.md": " \n\t " });
      const rows = await memory.database.query<Record<string, unknown>>(
        `select c.position, c.start, c.size, c.text, i.model, i.dimension
          from chunks c join vector_indexes i on i.id = c.embedded_by order by c.position`,
      );
      expect(rows).toEqual(
        chunksOf(words).map(({ text, offset, size }, position) => ({
          position,
          start: offset,
          size,
          text,
          model: "lexical-test",
          dimension: 128,
        })),
      );
    });

    it("[MEM-011] does not chunk or embed unchanged content again", async () => {
      const embedder = lexicalEmbedder();
      const memory = await open({ embedder });
      await fill(memory, NOTES);
      const sent = embedder.sent.length;
      const chunks = await memory.database.query("select id from chunks order by id");
      const [written] = await memory.documents.writeAll(OWNER, [
        { path: "notes/tea.md", content: NOTES["notes/tea.md"], tags: ["tea"] },
      ]);
      await memory.embeddings?.idle();
      expect(written).toMatchObject({ changed: false });
      expect(embedder.sent).toHaveLength(sent);
      expect(await memory.database.query("select id from chunks order by id")).toEqual(chunks);
    });

    it("[MEM-012] searches words and vectors, and says when only words were searched", async () => {
      const hybrid = await open();
      await fill(hybrid, NOTES);
      expect(await hybrid.search.search(OWNER, { query: "green tea" })).toMatchObject({
        mode: "hybrid",
        notes: [],
      });
      const plain = await openTestMemory(place(), options);
      await fill(plain, NOTES);
      const found = await plain.search.search(OWNER, { query: "green tea" });
      expect(found).toMatchObject({
        mode: "full-text",
        notes: [expect.stringContaining("only full text")],
      });
      expect(found.hits[0]).toMatchObject({ path: "notes/tea.md", similarity: undefined });
    });

    it("[MEM-012] takes at most 50 candidates of each search", async () => {
      const memory = await open();
      await fill(
        memory,
        Object.fromEntries(
          Array.from({ length: 60 }, (_, index) => [`n${index}.md`, `zebra ${index}`]),
        ),
      );
      const { hits } = await memory.search.search(OWNER, { query: "zebra", limit: 50 });
      const ranks = hits.map(({ fullTextRank }) => fullTextRank ?? 0);
      expect(hits).toHaveLength(50);
      expect(Math.max(...ranks)).toBeLessThanOrEqual(50);
    });

    it("[MEM-013] [MEM-014] a hit has path, text, score, ranks and the evidence of both searches", async () => {
      const memory = await open();
      await fill(memory, NOTES);
      const { hits } = await memory.search.search(OWNER, { query: "green tea" });
      expect(hits[0]).toMatchObject({
        path: "notes/tea.md",
        text: NOTES["notes/tea.md"],
        score: 1,
        fullTextRank: 1,
        vectorRank: 1,
      });
      expect(hits[0]?.similarity).toBeGreaterThan(0.3);
      expect(hits[0]?.fullText?.coverage).toBeCloseTo(1);
      expect(hits[0]?.fullText?.weight).toBeGreaterThan(0);
    });

    it("[MEM-013] returns the nearest documents to a query without a common word, and limits them when asked", async () => {
      const memory = await open();
      await fill(memory, NOTES);
      const limited = (minimumSimilarity: number) =>
        pathsFor(memory, "submarine periscope", { ranking: { minimumSimilarity } });
      expect(await pathsFor(memory, "submarine periscope")).toHaveLength(4);
      expect(await limited(0)).toHaveLength(4);
      expect(await limited(0.9)).toEqual([]);
      const none = { ranking: { minimumSimilarity: 0.99 } };
      expect(await pathsFor(memory, "green tea in the morning", none)).toEqual(["notes/tea.md"]);
    });

    it("[MEM-013] returns ten hits unless a limit is given, drops those below a score, and orders equal ones by ID", async () => {
      const memory = await open();
      const numbers = Array.from({ length: 12 }, (_, index) => index);
      await fill(memory, Object.fromEntries(numbers.map((n) => [`n${n}.md`, "same words"])));
      const found = await pathsFor(memory, "same words");
      expect(found).toHaveLength(10);
      const { hits } = await memory.search.search(OWNER, { query: "same words", limit: 12 });
      const chunks = hits.map(({ chunk }) => chunk);
      expect(chunks).toEqual(chunks.toSorted((a, b) => a - b));
      await memory.documents.write(OWNER, { path: "other.md", content: "different terms" });
      await memory.embeddings?.idle();
      const scored = { limit: 20, ranking: { minimumScore: 0.9 } };
      expect(await pathsFor(memory, "same words", scored)).toHaveLength(12);
      expect(await pathsFor(memory, "same words", { limit: 20 })).toContain("other.md");
    });

    it("[MEM-013] ranks the newer of two equal documents first", async () => {
      const clock = { now: START };
      const memory = await open({ clock });
      await fill(memory, { "b.md": "same words" });
      clock.now += 1000;
      await fill(memory, { "a.md": "same words" });
      expect(await pathsFor(memory, "same words")).toEqual(["a.md", "b.md"]);
      const ranking = { recency: 0 };
      expect(await pathsFor(memory, "same words", { ranking })).toEqual(["a.md", "b.md"]);
    });

    it("[MEM-013] ranks by the match of the words, in which rare ones count more", async () => {
      const clock = { now: START };
      const memory = await open({ clock });
      await fill(memory, { "rare.md": "the kettle is new", "both.md": "a kettle for green tea" });
      clock.now += 1000;
      await fill(memory, {
        "tea.md": "tea at four",
        "cup.md": "tea in a cup",
        "pot.md": "tea in a pot",
      });
      const ranking = { similarityWeight: 0, fusionWeight: 0, recency: 0 };
      const { hits } = await memory.search.search(OWNER, { query: "kettle tea", ranking });
      expect(hits.slice(0, 2).map(({ path }) => path)).toEqual(["both.md", "rare.md"]);
      expect(hits[1]?.score).toBeLessThan(1);
    });

    if (dialect === "postgres") {
      it("[MEM-018] counts with ts_rank_cd how often a chunk has the words", async () => {
        const memory = await open();
        await fill(memory, {
          "once.md": "the kettle is new and the teapot is old",
          "often.md": "the kettle, the kettle, the teapot, and the kettle",
        });
        const { hits } = await memory.search.search(OWNER, { query: "kettle teapot" });
        const weightOf = (path: string) =>
          hits.find((hit) => hit.path === path)?.fullText?.weight ?? 0;
        expect(weightOf("often.md")).toBeGreaterThan(weightOf("once.md"));
        expect(weightOf("once.md")).toBeGreaterThan(0);
      });
    }

    it("[MEM-015] searches within a folder, a space, tags and dates", async () => {
      const memory = await open();
      await fill(memory, {
        "p/a.md": "shared word",
        "p_/b.md": "shared word",
        "daily/2026-03-01.md": "shared word",
        "c.md": "shared word",
      });
      await memory.documents.write(OWNER, {
        path: "c.md",
        content: "shared word",
        tags: ["x", "y"],
      });
      await memory.spaces.create(OWNER, "work");
      await memory.spaces.change(OWNER, { name: "work", path: "p_/b.md", isIn: true });
      const found = (filter: object) => pathsFor(memory, "shared", filter);
      expect(await found({ paths: ["p"] })).toEqual(["p/a.md"]);
      expect((await found({ paths: ["p", "c.md"] })).sort()).toEqual(["c.md", "p/a.md"]);
      expect(await found({ space: "work" })).toEqual(["p_/b.md"]);
      expect(await found({ space: "none" })).toEqual([]);
      expect(await found({ tags: ["x", "y"] })).toEqual(["c.md"]);
      expect(await found({ tags: ["x", "z"] })).toEqual([]);
      expect(await found({ from: "2026-03-01", to: "2026-03-05" })).toEqual([
        "daily/2026-03-01.md",
      ]);
      expect(await found({ from: "2026-03-09", paths: ["p"], tags: ["x"] })).toEqual([]);
      await expect(memory.search.search(OWNER, { query: "a", from: "soon" })).rejects.toThrow(
        "from",
      );
    });

    it("[MEM-016] answers odd queries without an error", async () => {
      const memory = await open();
      await fill(memory, NOTES);
      const odd = [
        '"green',
        "tea AND (",
        "NEAR(a b)",
        "tea*",
        "a:b",
        "^tea",
        "-tea",
        "''; drop table documents",
        "{tea}",
        "& | !",
        "green tea ".repeat(1000),
        "\u0000tea",
        "🍵",
        "\\",
        "%_",
        "<-> tea",
      ];
      for (const query of odd) {
        const result = await memory.search.search(OWNER, { query });
        expect(result.notes, query).toEqual([]);
      }
      expect(await pathsFor(memory, '"green" (tea')).toContain("notes/tea.md");
      for (const query of ["???", "the of and"]) {
        const result = await memory.search.search(OWNER, {
          query,
        });
        expect(result.mode).toBe("vectors");
        expect(result.hits.every(({ fullTextRank }) => fullTextRank === undefined)).toBe(true);
      }
      expect(await memory.documents.list(OWNER)).toHaveLength(4);
    });

    it("[MEM-020] keeps vectors per model and dimension, and embeds everything again for another one", async () => {
      const location = place();
      const first = await openTestMemory(location, { ...options, embedder: lexicalEmbedder() });
      await fill(first, NOTES);
      const { pending, ...before } = (await first.embeddings?.status()) ?? {};
      expect(before).toMatchObject({ model: "lexical-test", dimension: 128, chunks: 4 });
      await first.embeddings?.close();

      const embedder = lexicalEmbedder({ model: "other", dimensions: 256 });
      const { database } = first;
      const second = await openTestMemory(location, { ...options, embedder });
      const early = await second.search.search(OWNER, { query: "green tea" });
      expect(early.hits.map(({ path }) => path)).toContain("notes/tea.md");
      second.embeddings?.start();
      await second.embeddings?.idle();
      expect(await second.embeddings?.status()).toMatchObject({
        model: "other",
        dimension: 256,
        pending: 0,
      });
      expect(await second.database.query("select model from vector_indexes")).toEqual([
        { model: "other" },
      ]);
      expect(database.dialect).toBe(dialect);
      expect(pending).toBe(0);
    });

    it("[MEM-025] connects documents once per type, and deletes connections with a document", async () => {
      const memory = await open();
      await fill(memory, { "a.md": "a", "b.md": "b", "c.md": "c" });
      const { connections } = memory;
      const link = (sourcePath: string, targetPath: string, type: string, strength?: number) =>
        connections.create(OWNER, { sourcePath, targetPath, type, strength });
      const { id } = await link("a.md", "b.md", "extends");
      expect((await link("a.md", "b.md", "extends", 0.5)).id).toBe(id);
      await link("a.md", "b.md", "derives");
      await link("c.md", "a.md", "updates");
      expect(await connections.list(OWNER, "b.md")).toEqual([
        expect.objectContaining({ type: "derives", strength: 1 }),
        { id, sourcePath: "a.md", targetPath: "b.md", type: "extends", strength: 0.5 },
      ]);
      await expect(link("a.md", "a.md", "extends")).rejects.toThrow("itself");
      await expect(link("a.md", "b.md", "likes")).rejects.toThrow("connection_type");
      await expect(link("a.md", "b.md", "updates", 2)).rejects.toThrow("strength");
      await connections.remove(OWNER, id);
      await memory.documents.remove(OWNER, "b.md");
      expect((await connections.list(OWNER)).map(({ type }) => type)).toEqual(["updates"]);
      await expect(connections.remove(OWNER, "nothing")).rejects.toThrow("not found");
    });

    it("[MEM-026] ranks a document behind the one that updates it", async () => {
      const memory = await open();
      await fill(memory, {
        "old.md": "The office is in Cardiff.",
        "new.md":
          "Since May the office is in Ghent, not in Cardiff; everything was moved by truck.",
      });
      expect((await pathsFor(memory, "office in Cardiff"))[0]).toBe("old.md");
      await memory.connections.create(OWNER, {
        sourcePath: "new.md",
        targetPath: "old.md",
        type: "updates",
      });
      expect(await pathsFor(memory, "office in Cardiff")).toEqual(["new.md", "old.md"]);
    });

    it("[MEM-027] spaces have unique names, and deleting one keeps its documents", async () => {
      const memory = await open();
      await fill(memory, { "a.md": "a", "b.md": "b" });
      const { spaces } = memory;
      await spaces.create(OWNER, "home", "the house");
      await spaces.create(OWNER, "work");
      await spaces.create({ user: "telegram:7", agent: "main" }, "home");
      await expect(spaces.create(OWNER, " home ")).rejects.toThrow("exists already");
      for (const name of ["home", "work"]) {
        await spaces.change(OWNER, { name, path: "a.md", isIn: true });
        await spaces.change(OWNER, { name, path: "a.md", isIn: true });
      }
      await spaces.change(OWNER, { name: "home", path: "b.md", isIn: true });
      expect(await spaces.list(OWNER)).toEqual([
        { name: "home", description: "the house", documents: 2 },
        { name: "work", description: "", documents: 1 },
      ]);
      await spaces.change(OWNER, { name: "home", path: "b.md", isIn: false });
      expect(await spaces.contents(OWNER, "home")).toEqual(["a.md"]);
      await spaces.remove(OWNER, "home");
      expect((await spaces.list(OWNER)).map(({ name: each }) => each)).toEqual(["work"]);
      expect(await memory.documents.list(OWNER)).toHaveLength(2);
    });

    it("[MEM-028] facts have a key, a type, a confidence and a source, and setting one replaces it", async () => {
      const { profiles } = await open();
      expect(await profiles.set("owner", { key: " home ", value: "Cardiff" })).toEqual({
        key: "home",
        value: "Cardiff",
        type: "static",
        confidence: 1,
        source: "user_stated",
        updatedAt: new Date(START).toISOString(),
      });
      await profiles.set("owner", {
        key: "home",
        value: "Ghent",
        type: "dynamic",
        confidence: 0.5,
      });
      expect(await profiles.list("owner")).toEqual([
        expect.objectContaining({ key: "home", value: "Ghent", type: "dynamic", confidence: 0.5 }),
      ]);
      for (const wrong of [{ type: "old" }, { confidence: 1.5 }, { value: " " }, { key: "" }]) {
        await expect(
          profiles.set("owner", { key: "k", value: "v", ...wrong }),
        ).rejects.toMatchObject({ code: "MEMORY_INVALID_PARAMETER" });
      }
      await profiles.remove("owner", "home");
      await expect(profiles.get("owner", "home")).rejects.toThrow("not found");
    });
    describeLanguages(() => openTestMemory(place(), options), place);
  });
}
