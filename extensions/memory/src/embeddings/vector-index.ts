import type { PluginDatabaseQuery } from "@openclaw/plugin-sdk/store";
import type { MemoryDatabase } from "../database/memory-database.js";
import { EmbeddingInvalidError } from "../errors.js";
import type { Embedding } from "./embedder.js";
import { vectorParameter, vectorType, vectorValue } from "./vector-value.js";

/** Smallest and largest dimension of vectors (MEM-020). */
const DIMENSIONS = { least: 64, most: 3072 } as const;

/** Vectors of one model and dimension, in a separate table, so that they are never mixed (MEM-020). */
export interface VectorIndex {
  readonly id: number;
  readonly model: string;
  readonly dimension: number;
  readonly table: string;
}

interface IndexRow {
  readonly id: number;
  readonly model: string;
  readonly dimension: number;
}

/**
 * Returns the index of a model, and creates it and its table when there is none.
 * @param inside - a transaction
 * @param database - the memory's database
 * @param embedding - model and dimension
 * @param now - time as ISO 8601
 */
export async function openIndex(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  { model, dimensions }: Pick<Embedding, "model" | "dimensions">,
  now: string,
): Promise<VectorIndex> {
  const found = await findIndex(inside, database, { model, dimensions });
  if (found !== undefined) return found;
  const [row] = await inside.query<{ id: number }>(
    "insert into vector_indexes (model, dimension, storage, created_at) values ($1, $2, $3, $4) returning id",
    [model, dimensions, storageOf(database), now],
  );
  const index = { id: row?.id ?? 0, model, dimension: dimensions };
  await createVectorTable(inside, database, index);
  return indexOf(index);
}

/**
 * Creates the table of an index.
 * @param inside - a transaction
 * @param database - the memory's database
 */
export async function createVectorTable(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  { id, dimension }: Pick<VectorIndex, "id" | "dimension">,
): Promise<void> {
  const table = tableOf(id);
  const key = database.dialect === "sqlite" ? "integer" : "bigint";
  await inside.query(
    `create table ${table} (
      chunk ${key} primary key references chunks (id) on delete cascade,
      owner ${key} not null,
      vector ${vectorType(database, dimension)} not null
    )`,
  );
  await inside.query(`create index ${table}_owner on ${table} (owner)`);
}

/**
 * Returns the index of a model and dimension; undefined when nothing was embedded with it yet.
 * @param query - the memory's database, or a transaction
 * @param database - the memory's database
 * @param embedding - model and dimension
 */
export async function findIndex(
  query: PluginDatabaseQuery,
  database: MemoryDatabase,
  { model, dimensions }: Pick<Embedding, "model" | "dimensions">,
): Promise<VectorIndex | undefined> {
  const [row] = await query.query<IndexRow>(
    "select id, model, dimension from vector_indexes where model = $1 and dimension = $2 and storage = $3",
    [model, dimensions, storageOf(database)],
  );
  return row && indexOf(row);
}

/**
 * Lists the indexes that the engine can search, newest first.
 * @param query - the memory's database, or a transaction
 * @param database - the memory's database
 */
export async function listIndexes(
  query: PluginDatabaseQuery,
  database: MemoryDatabase,
): Promise<VectorIndex[]> {
  const rows = await query.query<IndexRow>(
    "select id, model, dimension from vector_indexes where storage = $1 order by id desc",
    [storageOf(database)],
  );
  return rows.map(indexOf);
}

/**
 * Stores vectors in an index.
 * @param inside - a transaction
 * @param database - the memory's database
 * @param index - index of the vectors' model
 * @param vectors - vectors by chunk; a chunk that was deleted meanwhile is left out
 * @returns chunks that had no vector in the index
 */
export async function storeVectors(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  index: VectorIndex,
  vectors: readonly {
    readonly chunk: number;
    readonly text: string;
    readonly vector: ArrayLike<number>;
  }[],
): Promise<readonly number[]> {
  const value = vectorParameter(database, 2);
  const known = await chunksIn(
    inside,
    index,
    vectors.map(({ chunk }) => chunk),
  );
  const stored: number[] = [];
  for (const { chunk, text, vector } of vectors) {
    // The chunk may have got another text while its old text was embedded.
    const rows = await inside.query(
      `insert into ${index.table} (chunk, owner, vector)
        select id, owner, ${value} from chunks where id = $1 and text = $3
        on conflict (chunk) do update set vector = excluded.vector
        returning chunk`,
      [chunk, vectorValue(database, vector), text],
    );
    if (rows.length > 0) stored.push(chunk);
  }
  if (stored.length === 0) return [];
  const chunks = stored.map((_, position) => `$${position + 2}`).join(", ");
  await inside.query(`update chunks set embedded_by = $1 where id in (${chunks})`, [
    index.id,
    ...stored,
  ]);
  return stored.filter((chunk) => !known.has(chunk));
}

/**
 * Returns those of some chunks that have a vector.
 * @param query - the memory's database, or a transaction
 */
export async function chunksIn(
  query: PluginDatabaseQuery,
  index: VectorIndex,
  chunks: readonly number[],
): Promise<ReadonlySet<number>> {
  if (chunks.length === 0) return new Set();
  const rows = await query.query<{ chunk: number }>(
    `select chunk from ${index.table} where chunk in (${chunks.map((_, position) => `$${position + 1}`).join(", ")})`,
    chunks,
  );
  return new Set(rows.map(({ chunk }) => chunk));
}

/**
 * Deletes indexes of other models, once every chunk has a vector of the current one.
 * @param database - the memory's database
 * @param current - index of the current model
 */
export async function dropOtherIndexes(
  database: MemoryDatabase,
  current: VectorIndex,
): Promise<void> {
  await database.transaction(async (inside) => {
    const rows = await inside.query<{ id: number }>(
      "select id from vector_indexes where id <> $1",
      [current.id],
    );
    for (const { id } of rows) {
      await inside.query(`drop table if exists ${tableOf(id)}`);
      await inside.query("delete from vector_indexes where id = $1", [id]);
    }
  });
}

/**
 * Checks vectors of a provider.
 * @param embedding - result of the provider
 * @param count - number of strings that were sent
 * @throws EmbeddingInvalidError
 */
export function checkEmbedding({ model, dimensions, vectors }: Embedding, count: number): void {
  if (model === "") throw new EmbeddingInvalidError("the model has no name");
  if (vectors.length !== count) {
    throw new EmbeddingInvalidError(`expected ${count} vectors, got ${vectors.length}`);
  }
  const { least, most } = DIMENSIONS;
  if (vectors.every((vector) => vector === undefined)) return;
  if (!Number.isInteger(dimensions) || dimensions < least || dimensions > most) {
    throw new EmbeddingInvalidError(
      `expected a dimension from ${least} to ${most}, got ${dimensions}`,
    );
  }
  for (const vector of vectors) {
    if (vector === undefined) continue;
    if (vector.length !== dimensions) {
      throw new EmbeddingInvalidError(
        `expected vectors of ${dimensions} numbers, got one of ${vector.length}`,
      );
    }
    for (let position = 0; position < dimensions; position += 1) {
      if (!Number.isFinite(vector[position])) {
        throw new EmbeddingInvalidError("expected finite numbers, got another value");
      }
    }
  }
}

/**
 * Returns the name of the form in which a database stores vectors.
 * @param database - the memory's database
 */
export function storageOf({ vectors, dialect }: MemoryDatabase): string {
  if (vectors.extension === "pgvector") return "pgvector";
  return dialect === "sqlite" ? "blob" : "bytea";
}

function indexOf({ id, model, dimension }: IndexRow): VectorIndex {
  return { id, model, dimension, table: tableOf(id) };
}

/**
 * Returns the table of an index.
 * @param id - ID of the index
 */
export function tableOf(id: number): string {
  return `vectors_${id}`;
}
