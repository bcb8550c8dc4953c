/** Opens a memory with the notes that the questions are about. */
import { globSync, readFileSync } from "node:fs";
import { OWNER, openBenchMemory } from "../bench-memory.mjs";

const ROOT = new URL("../../../../", import.meta.url);
const BATCH = 50;

/** Returns the rows of a file of this folder. */
export function rowsOf(name) {
  const text = readFileSync(new URL(`${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/**
 * Opens the memory.
 * @param withGuides - true adds the guides of this repository, which answer no question
 */
export async function openQuestionMemory({ withGuides = false } = {}) {
  const opened = await openBenchMemory();
  const notes = rowsOf("notes").map(({ path, text }) => ({ path, content: text }));
  await fill(opened.memory, withGuides ? [...notes, ...guides()] : notes);
  return opened;
}

/** Writes documents and waits until they are embedded. */
async function fill(memory, writes) {
  for (let start = 0; start < writes.length; start += BATCH) {
    await memory.documents.writeAll(OWNER, writes.slice(start, start + BATCH));
  }
  memory.embeddings?.start();
  await memory.embeddings?.idle();
}

function guides() {
  return globSync("docs/*.md", { cwd: ROOT })
    .sort()
    .map((name) => ({ path: name, content: readFileSync(new URL(name, ROOT), "utf8") }));
}
