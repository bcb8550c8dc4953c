import { createHash } from "node:crypto";
import type { PluginDatabaseQuery } from "@openclaw/plugin-sdk/store";
import { type ChunkerOptions, chunksOf } from "../chunks/chunker.js";
import { indexText, removeText, TEXT_VERSION } from "../database/full-text-table.js";
import type { MemoryDatabase } from "../database/memory-database.js";
import { spokenDay } from "./day.js";
import { wordsOfPath } from "./path.js";

/** Document whose content is chunked. */
export interface ChunkedDocument {
  readonly id: string;
  readonly owner: number;
  readonly path: string;
  readonly eventDate: string | undefined;
}

/**
 * Returns the hash of the searched content of a document (MEM-011).
 * @param content - content of the document
 * @param eventDate - date that it is about
 */
export function hashOf(content: string, eventDate: string | undefined): string {
  return createHash("sha256")
    .update(`${eventDate ?? ""}\n${content}`)
    .digest("hex");
}

/**
 * Replaces the chunks of a document (MEM-008). A chunk whose text did not change keeps its vector.
 * @param inside - the transaction that stores the content
 * @param database - the memory's database
 * @param content - its new content
 * @param options - sizes of chunks, and whether the document is new, so that it has no chunks to look for
 * @returns number of chunks
 */
export async function replaceChunks(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  document: ChunkedDocument,
  content: string,
  { chunker, isNew }: { readonly chunker: ChunkerOptions; readonly isNew: boolean },
): Promise<number> {
  const chunks = chunksOf(content, chunker);
  const before = isNew ? [] : await chunksBefore(inside, document.id);
  const byText = new Map(before.map(({ id, text }) => [text, id]));
  if (!isNew) await removeText(inside, database, document.id);
  const title = titleOf(document);
  const kept = new Set<number>();
  const entries: { chunk: number; title: string; text: string }[] = [];
  for (const [position, { text, offset, size }] of chunks.entries()) {
    const known = byText.get(text);
    if (known !== undefined && !kept.has(known)) {
      kept.add(known);
      await inside.query(
        "update chunks set position = $2, start = $3, size = $4, text_version = $5 where id = $1",
        [known, position, offset, size, TEXT_VERSION],
      );
      entries.push({ chunk: known, title, text });
      continue;
    }
    const [row] = await inside.query<{ id: number }>(
      `insert into chunks (document, owner, position, start, size, text, text_version)
        values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [document.id, document.owner, position, offset, size, text, TEXT_VERSION],
    );
    if (row !== undefined) {
      kept.add(row.id);
      entries.push({ chunk: row.id, title, text });
    }
  }
  for (const { id } of before) {
    if (!kept.has(id)) await inside.query("delete from chunks where id = $1", [id]);
  }
  await indexText(inside, database, entries);
  return chunks.length;
}

/**
 * Chunks a document again.
 * @param inside - a transaction
 * @param database - the memory's database
 * @param id - ID of the document; one that was deleted meanwhile is left out
 * @param chunker - sizes of chunks
 */
export async function rechunk(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  id: string,
  chunker: ChunkerOptions,
): Promise<void> {
  const [row] = await inside.query<{
    owner: number;
    path: string;
    content: string;
    event_date: string | null;
  }>(
    // A write of another process comes before or after this one.
    `select owner, path, content, event_date from documents where id = $1
      ${database.dialect === "sqlite" ? "" : "for update"}`,
    [id],
  );
  if (row === undefined) return;
  const { owner, path, content, event_date } = row;
  const document = { id, owner, path, eventDate: event_date ?? undefined };
  await replaceChunks(inside, database, document, content, { chunker, isNew: false });
}

/**
 * Adds chunks that were copied to the full-text table. Chunks of an older version are indexed again in the background.
 * @param inside - the transaction that stores the chunks
 * @param database - the memory's database
 * @param ids - IDs of the chunks, whose documents are stored
 */
export async function indexCopiedChunks(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  ids: readonly number[],
): Promise<void> {
  const rows = await inside.query<{
    id: number;
    text: string;
    path: string;
    event_date: string | null;
  }>(
    `select c.id, c.text, d.path, d.event_date from chunks c join documents d on d.id = c.document
      where c.text_version = ${TEXT_VERSION} and c.id in (${ids.map((_, index) => `$${index + 1}`).join(", ")})`,
    ids,
  );
  const entries = rows.map(({ id, text, path, event_date }) => ({
    chunk: id,
    title: titleOf({ path, eventDate: event_date ?? undefined }),
    text,
  }));
  await indexText(inside, database, entries);
}

function chunksBefore(inside: PluginDatabaseQuery, document: string) {
  return inside.query<{ id: number; text: string }>(
    "select id, text from chunks where document = $1 order by position",
    [document],
  );
}

/**
 * Returns the words of the path and the date of a document, in the forms in which queries name them.
 * @param document - path, and date that it is about
 */
export function titleOf({ path, eventDate }: Pick<ChunkedDocument, "path" | "eventDate">): string {
  const words = wordsOfPath(path);
  return eventDate === undefined ? words : `${words} ${eventDate} ${spokenDay(eventDate)}`;
}
