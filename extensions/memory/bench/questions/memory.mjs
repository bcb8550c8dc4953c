/** Opens a memory with the notes that the queries are about. */
import { readFileSync } from "node:fs";
import { OWNER, openBenchMemory } from "../bench-memory.mjs";

const BATCH = 50;

/** Returns the rows of a file of a folder of queries. */
export function rowsOf(name, folder = "questions") {
  const text = readFileSync(new URL(`../${folder}/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Opens the memory. */
export async function openQuestionMemory(folder = "questions") {
  const opened = await openBenchMemory();
  const { memory } = opened;
  const notes = rowsOf("notes", folder).map(({ path, text }) => ({ path, content: text }));
  for (let start = 0; start < notes.length; start += BATCH) {
    await memory.documents.writeAll(OWNER, notes.slice(start, start + BATCH));
  }
  memory.embeddings.start();
  await memory.embeddings.idle();
  return opened;
}
