/** Opens a memory with the documents of the labelled set and the default embedding model. */
import { readFileSync } from "node:fs";
import { openTestStore } from "@openclaw/plugin-testkit";
import { embeddedModel } from "./embedded-model.mjs";
import "./sources.mjs";

const { openMemory } = await import("../src/memory.ts");

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

/** Opens a store, in memory or in a folder, with the default embedding model. */
export async function openBenchMemory({ folder, withVectors = true, ...options } = {}) {
  const { store, close } = await openTestStore(folder === undefined ? {} : { folder });
  const memory = await openMemory(store, {
    embedder: withVectors ? embeddedModel() : undefined,
    ...options,
    onEmbeddingFailure: (problem) => process.stderr.write(`${problem}\n`),
  });
  return {
    memory,
    async close() {
      await memory.close();
      await close();
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
