import { type ChunkerOptions, DEFAULT_CHUNKER } from "./chunks/chunker.js";
import { rechunk } from "./documents/content.js";
import type { Memory } from "./memory.js";

/** Documents of one transaction. */
const BATCH = 50;

/**
 * Chunks every document again, and makes every chunk pending, so that all vectors are created again. It can be repeated
 * when it was interrupted; searches work meanwhile.
 * @param memory - the memory
 * @param chunker - sizes of chunks
 * @returns number of documents
 */
export async function reindex(
  { database }: Pick<Memory, "database">,
  chunker: ChunkerOptions = DEFAULT_CHUNKER,
): Promise<number> {
  let documents = 0;
  let last = "";
  for (;;) {
    const rows = await database.query<{ id: string }>(
      `select cast(id as text) as id from documents where cast(id as text) > $1 order by cast(id as text) limit ${BATCH}`,
      [last],
    );
    if (rows.length === 0) break;
    await database.transaction(async (inside) => {
      for (const { id } of rows) {
        await rechunk(inside, database, id, chunker);
        await inside.query("update chunks set embedded_by = null where document = $1", [id]);
      }
    });
    documents += rows.length;
    last = rows.at(-1)?.id ?? last;
  }
  return documents;
}
