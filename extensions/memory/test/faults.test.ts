import { openTestStore } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";
import type { Embedder, Embedding } from "../src/embeddings/embedder.js";
import type { Schedule } from "../src/embeddings/embedding-queue.js";
import { reindex } from "../src/reindex.js";
import { lackingStore } from "./support/lacking-store.js";
import { lexicalEmbedder } from "./support/lexical-embedder.js";
import { fill, OWNER, openTestMemory, pathsFor } from "./support/open-memory.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const NOTES = { "tea.md": "Ada likes green tea.", "key.md": "The key is under the pot." };

/** Retries that a test runs itself. */
function heldRetries() {
  const waiting: { delayMs: number; work: () => void }[] = [];
  const schedule: Schedule = (delayMs, work) => {
    waiting.push({ delayMs, work });
    return () => undefined;
  };
  return { waiting, schedule };
}

/** An embedder whose answers a test changes. */
function changingEmbedder(answer: (embedding: Embedding) => Embedding): Embedder {
  const lexical = lexicalEmbedder();
  return {
    model: () => lexical.model(),
    embed: async (texts, signal) => answer(await lexical.embed(texts, signal)),
  };
}

describe("faults of an embedding provider", () => {
  it("[MEM-023] a failure fails no write and no search, and is tried again with growing delays", async () => {
    let isDown = true;
    const { waiting, schedule } = heldRetries();
    const failures: string[] = [];
    const embedder = changingEmbedder((embedding) => {
      if (isDown) throw new Error("connection refused");
      return embedding;
    });
    const memory = await openTestMemory(
      {},
      { embedder, schedule, onEmbeddingFailure: (problem) => failures.push(problem) },
    );
    await fill(memory, NOTES);
    expect(await memory.embeddings?.status()).toMatchObject({
      pending: 2,
      problem: "connection refused",
    });
    const found = await memory.search.search(OWNER, { query: "green tea" });
    expect(found).toMatchObject({ mode: "full-text", hits: [{ path: "tea.md" }] });
    expect(found.notes).toEqual([expect.stringContaining("connection refused")]);
    for (const expected of [1000, 2000, 4000]) {
      const retry = waiting.shift();
      expect(retry?.delayMs).toBe(expected);
      retry?.work();
      await memory.embeddings?.idle();
    }
    expect(failures).toHaveLength(4);
    isDown = false;
    waiting.shift()?.work();
    await memory.embeddings?.idle();
    expect(await memory.embeddings?.status()).toMatchObject({ pending: 0, problem: undefined });
    expect(await memory.search.search(OWNER, { query: "green tea" })).toMatchObject({
      mode: "hybrid",
    });
  });

  it("[MEM-020] [MEM-023] a dimension that changes half-way leaves the rest pending, then embeds everything with the new one", async () => {
    let requests = 0;
    const { waiting, schedule } = heldRetries();
    const small = lexicalEmbedder({ dimensions: 64 });
    const large = lexicalEmbedder({ dimensions: 96 });
    const embedder: Embedder = {
      model: () => small.model(),
      embed: (texts, signal) => {
        requests += 1;
        return (requests <= 2 ? small : large).embed(texts, signal);
      },
    };
    const memory = await openTestMemory({}, { embedder, schedule });
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`n${index}.md`, `note ${index}`]),
    );
    await fill(memory, many);
    expect(await memory.embeddings?.status()).toMatchObject({
      dimension: 64,
      pending: 36,
      problem: expect.stringContaining("changed"),
    });
    waiting.shift()?.work();
    await memory.embeddings?.idle();
    expect(await memory.embeddings?.status()).toMatchObject({ dimension: 96, pending: 0 });
    expect(await memory.database.query("select dimension from vector_indexes")).toEqual([
      { dimension: 96 },
    ]);
  });

  it.each<[string, (embedding: Embedding) => Embedding, RegExp]>([
    [
      "too few vectors",
      (each) => ({ ...each, vectors: each.vectors.slice(1) }),
      /expected \d+ vectors/,
    ],
    [
      "a value that is not a number",
      (each) => ({
        ...each,
        vectors: each.vectors.map(() => new Float32Array(128).fill(Number.NaN)),
      }),
      /finite/,
    ],
    [
      "vectors of another length",
      (each) => ({ ...each, vectors: each.vectors.map(() => new Float32Array(3)) }),
      /128 numbers, got one of 3/,
    ],
    ["too few dimensions", (each) => ({ ...each, dimensions: 8 }), /64 to 3072/],
  ])(
    "[MEM-020] [MEM-023] rejects %s, and keeps the chunks pending",
    async (_fault, answer, problem) => {
      const { schedule } = heldRetries();
      const memory = await openTestMemory({}, { embedder: changingEmbedder(answer), schedule });
      await fill(memory, NOTES);
      const status = await memory.embeddings?.status();
      expect(status).toMatchObject({ pending: 2, problem: expect.stringMatching(problem) });
      expect((await memory.search.search(OWNER, { query: "green tea" })).hits).toHaveLength(1);
    },
  );

  it.each([
    ["stops when it is told to", true],
    ["ignores the signal", false],
  ])("[MEM-023] a provider that is slow and %s does not delay a search", async (_case, stops) => {
    const lexical = lexicalEmbedder();
    let isSlow = false;
    let told = 0;
    const embedder: Embedder = {
      model: () => lexical.model(),
      embed: (texts, signal) => {
        if (!isSlow) return lexical.embed(texts, signal);
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            told += 1;
            if (stops) reject(signal.reason);
          });
        });
      },
    };
    const memory = await openTestMemory({}, { embedder, queryDeadlineMs: 1 });
    await fill(memory, NOTES);
    isSlow = true;
    const found = await memory.search.search(OWNER, { query: "green tea" });
    expect(found).toMatchObject({ mode: "full-text", hits: [{ path: "tea.md" }] });
    expect(found.notes).toEqual([expect.stringContaining("took longer than 1 ms")]);
    expect(told).toBe(1);
  });

  it("[MEM-024] a chunk with a secret has no vector, and is found by its words", async () => {
    const lexical = lexicalEmbedder();
    const blocking: Embedder = {
      model: () => lexical.model(),
      embed: async (texts, signal) => {
        const answer = await lexical.embed(texts, signal);
        return {
          ...answer,
          vectors: texts.map((text, index) =>
            text.includes("sk-") ? undefined : answer.vectors[index],
          ),
        };
      },
    };
    const memory = await openTestMemory({}, { embedder: blocking });
    await fill(memory, { ...NOTES, "secret.md": "the key of the service is sk-123" });
    expect(await memory.embeddings?.status()).toMatchObject({ chunks: 3, pending: 0, excluded: 1 });
    expect(await pathsFor(memory, "key of the service")).toContain("secret.md");
    expect((await memory.search.search(OWNER, { query: "sk-123" })).hits[0]?.path).toBe(
      "secret.md",
    );
  });
});

describe("database that lacks something", () => {
  it("[MEM-017] compares vectors in JavaScript without vector functions, and reports it", async () => {
    const memory = await openTestMemory(
      { store: await lackingStore("vectors") },
      { embedder: lexicalEmbedder() },
    );
    await fill(memory, NOTES);
    expect(memory.database.notices).toEqual([expect.stringContaining("not installed")]);
    const { hits, mode } = await memory.search.search(OWNER, { query: "green tea" });
    expect(mode).toBe("hybrid");
    expect(hits[0]).toMatchObject({ path: "tea.md", vectorRank: 1 });
    expect(hits[0]?.similarity).toBeGreaterThan(0.5);
  });

  it("searches vectors alone without full text", async () => {
    const memory = await openTestMemory(
      { store: await lackingStore("full text") },
      { embedder: lexicalEmbedder() },
    );
    await fill(memory, NOTES);
    await fill(memory, { "tea.md": "Ada likes green tea a lot." });
    const { hits, mode, notes } = await memory.search.search(OWNER, { query: "green tea" });
    expect(mode).toBe("vectors");
    expect(hits[0]?.path).toBe("tea.md");
    expect(notes).toEqual([expect.stringContaining("no full-text search")]);
    await memory.documents.remove(OWNER, "tea.md");
  });

  it("answers a search with a note when the database fails", async () => {
    const { store, close } = await openTestStore();
    const memory = await openTestMemory({ store }, { embedder: lexicalEmbedder() });
    await fill(memory, NOTES);
    await close();
    const result = await memory.search.search(OWNER, { query: "green tea" });
    expect(result).toMatchObject({ hits: [], mode: "none" });
    expect(result.notes).not.toEqual([]);
  });
});

it("reindexes every document, and embeds it again", async () => {
  const embedder = lexicalEmbedder();
  const memory = await openTestMemory({ folder: temporaryFolder() }, { embedder });
  await fill(memory, NOTES);
  embedder.sent.length = 0;
  expect(await reindex(memory)).toBe(2);
  expect(await memory.embeddings?.status()).toMatchObject({ pending: 2 });
  memory.embeddings?.start();
  await memory.embeddings?.idle();
  expect(embedder.sent.sort()).toEqual([
    "key\nThe key is under the pot.",
    "tea\nAda likes green tea.",
  ]);
  expect((await pathsFor(memory, "green tea"))[0]).toBe("tea.md");
});
