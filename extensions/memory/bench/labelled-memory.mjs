/** Opens a memory with the documents of the labelled set, in a host with its embedding models. */
import { readFileSync } from "node:fs";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost, openTestStore } from "@openclaw/plugin-testkit";
import "./sources.mjs";

const { openMemory } = await import("../src/memory.ts");
const { hostEmbedder } = await import("../src/embeddings/host-embedder.ts");

export const OWNER = { user: "owner", agent: "main" };
const BATCH = 50;

/** Returns the rows of a file of the labelled set. */
export function labelled(name) {
  const text = readFileSync(new URL(`labelled-set/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Opens the embedding model of a host, and a store: in memory, or in a folder. */
export async function openBenchMemory({ model, folder, withVectors = true } = {}) {
  let api;
  const host = await createTestHost({
    plugin: definePluginEntry({
      id: "memory-bench",
      register(given) {
        api = given;
      },
    }),
  });
  const { store, close } = await openTestStore(folder === undefined ? {} : { folder });
  const embedder = withVectors ? hostEmbedder(api.runtime.embeddings, model) : undefined;
  const memory = await openMemory(store, {
    embedder,
    onEmbeddingFailure: (problem) => process.stderr.write(`${problem}\n`),
  });
  return {
    memory,
    async close() {
      await memory.close();
      await close();
      await host.dispose();
    },
  };
}

/** Stores the documents of the labelled set; returns the ID of the set by path. */
export async function fillLabelled(memory, { withLinks = false } = {}) {
  const documents = labelled("documents");
  for (let start = 0; start < documents.length; start += BATCH) {
    await memory.documents.writeAll(
      OWNER,
      documents.slice(start, start + BATCH).map(({ path, text, date }) => ({
        path,
        content: text,
        eventDate: date,
        updatedAt: timeOf(date),
      })),
    );
  }
  const pathOf = new Map(documents.map(({ id, path }) => [id, path]));
  if (withLinks) {
    for (const { relevant, superseded = [] } of labelled("queries")) {
      for (const old of superseded) {
        await memory.connections.create(OWNER, {
          sourcePath: pathOf.get(relevant[0]),
          targetPath: pathOf.get(old),
          type: "updates",
        });
      }
    }
  }
  memory.embeddings?.start();
  await memory.embeddings?.idle();
  return new Map(documents.map(({ id, path }) => [path, id]));
}

function timeOf(date) {
  return date === undefined ? undefined : `${date}T12:00:00.000Z`;
}
