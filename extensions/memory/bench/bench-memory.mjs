/** Opens a memory with the default embedding model. */
import { readFileSync } from "node:fs";
import { openTestStore } from "@openclaw/plugin-testkit";
import { embeddedModel } from "./embedded-model.mjs";
import "./sources.mjs";

const { openMemory } = await import("../src/memory.ts");

export const OWNER = { user: "owner", agent: "main" };

/** Returns the rows of a file of the labelled set, whose many short documents are searched for speed and chunk sizes. */
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
