import {
  exportTable,
  importRows,
  type PluginDataBatch,
  type PluginDatabase,
  type PluginDatabaseQuery,
  type PluginDataPort,
  type SqlRow,
  type SqlValue,
} from "@openclaw/plugin-sdk/store";
import {
  MEMORY_DATABASE,
  type MemoryDatabase,
  openMemoryDatabase,
} from "../database/memory-database.js";
import { MIGRATIONS } from "../database/migrations.js";
import { indexCopiedChunks } from "../documents/content.js";
import { createVectorTable, storageOf, tableOf } from "../embeddings/vector-index.js";
import {
  storedVector,
  vectorOfText,
  vectorParameter,
  vectorValue,
} from "../embeddings/vector-value.js";

/** Tables that are the same on every engine, each after those that it refers to. */
const BEFORE_CHUNKS = ["owners", "documents"] as const;
const AFTER_CHUNKS = ["connections", "spaces", "space_documents", "facts"] as const;
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = { documents: ["tags"] };

/** Names under which the vectors and their indexes are moved. */
const INDEXES = "vector_indexes";
const VECTORS = "vectors";
const PAGE = 500;

interface IndexRow {
  readonly id: number;
  readonly model: string;
  readonly dimension: number;
  readonly storage: string;
  readonly created_at: string;
}

/**
 * Moves the memory to another engine (MEM-640). Vectors are moved as numbers, and stored as the target stores them; the
 * full-text table and the codes of vectors are made there.
 */
export const memoryData: PluginDataPort = {
  databases: [MEMORY_DATABASE],
  async *exportData(store) {
    const database = await store.database({ name: MEMORY_DATABASE, migrations: MIGRATIONS });
    const indexes = await currentIndexes(database);
    const ids = new Set<SqlValue>(indexes.map(({ id }) => id));
    for (const table of BEFORE_CHUNKS) yield* tableOfMemory(database, table);
    const portable = indexes.map(({ storage: _, ...row }) => row);
    if (portable.length > 0) yield { table: INDEXES, rows: portable };
    for await (const { table, rows } of exportTable(database, "chunks")) {
      yield { table, rows: rows.map((row) => withoutOldIndex(row, ids)) };
    }
    for (const index of indexes) yield* vectorsOf(database, index);
    for (const table of AFTER_CHUNKS) yield* tableOfMemory(database, table);
  },
  async importData(store, batches) {
    const database = await openMemoryDatabase(store);
    for await (const batch of batches) {
      await database.transaction((inside) => importBatch(inside, database, batch));
    }
    if (database.vectors.extension === "pgvector") return;
    await database.query(
      `insert into uncoded (chunk, vector_index, owner)
        select id, embedded_by, owner from chunks where embedded_by is not null`,
    );
  },
};

async function importBatch(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  batch: PluginDataBatch,
): Promise<void> {
  const { table, rows } = batch;
  if (table === VECTORS) return await importVectors(inside, database, rows);
  if (table === INDEXES) {
    const stored = rows.map((row) => ({ ...row, storage: storageOf(database) }));
    await importRows(inside, database.dialect, { table, rows: stored });
    for (const { id, dimension } of rows) {
      const index = { id: Number(id), dimension: Number(dimension) };
      await createVectorTable(inside, database, index);
    }
    return;
  }
  await importRows(inside, database.dialect, batch);
  if (table !== "chunks") return;
  await indexCopiedChunks(
    inside,
    database,
    rows.map(({ id }) => Number(id)),
  );
}

async function importVectors(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  rows: readonly SqlRow[],
): Promise<void> {
  const value = vectorParameter(database, 2);
  for (const { vector_index, chunk = null, vector } of rows) {
    if (!(vector instanceof Uint8Array)) continue;
    await inside.query(
      `insert into ${tableOf(Number(vector_index))} (chunk, owner, vector)
        select id, owner, ${value} from chunks where id = $1`,
      [chunk, vectorValue(database, storedVector(vector))],
    );
  }
}

function tableOfMemory(database: PluginDatabase, table: string) {
  return exportTable(database, table, { json: JSON_COLUMNS[table] ?? [] });
}

/**
 * Returns the newest index of each model and dimension. An older one, of a server that got or lost pgvector, is no longer
 * searched, and its chunks are embedded again.
 */
async function currentIndexes(database: PluginDatabase): Promise<readonly IndexRow[]> {
  const found = new Map<string, IndexRow>();
  for await (const { rows } of exportTable(database, INDEXES)) {
    for (const { id, model, dimension, storage, created_at } of rows) {
      const key = JSON.stringify([model, dimension]);
      found.set(key, {
        id: Number(id),
        model: String(model),
        dimension: Number(dimension),
        storage: String(storage),
        created_at: String(created_at),
      });
    }
  }
  return [...found.values()].sort((one, other) => one.id - other.id);
}

function withoutOldIndex(row: SqlRow, indexes: ReadonlySet<SqlValue>): SqlRow {
  const { embedded_by = null } = row;
  return { ...row, embedded_by: indexes.has(embedded_by) ? embedded_by : null };
}

/** Reads the vectors of an index as 32-bit numbers, in the order of their chunks. */
async function* vectorsOf(
  database: PluginDatabase,
  { id, storage }: IndexRow,
): AsyncGenerator<PluginDataBatch> {
  const isText = storage === "pgvector";
  const value = isText ? "vector::text" : "vector";
  let last = -1;
  for (;;) {
    const rows = await database.query<{ chunk: number; vector: string | Uint8Array }>(
      `select chunk, ${value} as vector from ${tableOf(id)} where chunk > $1 order by chunk limit ${PAGE}`,
      [last],
    );
    if (rows.length > 0) {
      yield {
        table: VECTORS,
        rows: rows.map(({ chunk, vector }) => ({
          vector_index: id,
          chunk,
          vector: typeof vector === "string" ? vectorOfText(vector) : vector,
        })),
      };
    }
    last = rows.at(-1)?.chunk ?? last;
    if (rows.length < PAGE) return;
  }
}
