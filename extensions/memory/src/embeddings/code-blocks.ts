import type { PluginDatabaseQuery, SqlValue } from "@openclaw/plugin-sdk/store";
import type { MemoryDatabase } from "../database/memory-database.js";
import { type CodeBlock, codesOf, encodeVectors } from "./vector-codes.js";
import { chunksIn, type VectorIndex } from "./vector-index.js";
import { blobParameter, storedVector } from "./vector-value.js";

/** Sizes from which vectors have codes. */
export interface CodeSizes {
  /** Number of vectors of an owner from which searches compare codes first, and vectors of the best only. */
  readonly from: number;
  /** Number of codes in a block. */
  readonly block: number;
}

/** Below, comparing all vectors takes no longer, by `bench/speed.bench.mjs`. */
export const DEFAULT_CODE_SIZES: CodeSizes = { from: 20_000, block: 1024 };

/** Share of deleted vectors from which they are removed from blocks. */
const MOST_DELETED = 0.25;
/** Blocks that are read at once. */
const PAGE = 8;

interface BlockRow {
  readonly id: number;
  readonly size: number;
  readonly chunks: Uint8Array;
  readonly scales: Uint8Array;
  readonly codes: Uint8Array;
}

/**
 * Returns false for an index whose engine orders vectors itself.
 * @param database - the memory's database
 */
export function hasCodes({ vectors }: Pick<MemoryDatabase, "vectors">): boolean {
  return vectors.extension !== "pgvector";
}

/**
 * Notes vectors that are in no block yet.
 * @param inside - the transaction that stores the vectors
 * @param index - their index
 * @param chunks - their chunks
 */
export async function addUncoded(
  inside: PluginDatabaseQuery,
  index: VectorIndex,
  chunks: readonly number[],
): Promise<void> {
  if (chunks.length === 0) return;
  await inside.query(
    `insert into uncoded (chunk, vector_index, owner)
      select chunk, $1, owner from ${index.table} where chunk in (${numbered(chunks, 2)})
      on conflict (chunk) do update set vector_index = excluded.vector_index`,
    [index.id, ...chunks],
  );
}

/**
 * Puts the codes of vectors into blocks, for owners with many vectors. Each block is a short transaction, between which
 * searches run; a search compares vectors that are in no block as they are.
 * @param database - the memory's database
 * @param index - index of the current model
 * @param sizes - sizes from which vectors have codes
 * @param signal - aborts when the memory is closed
 */
export async function packVectors(
  database: MemoryDatabase,
  index: VectorIndex,
  sizes: CodeSizes,
  signal: AbortSignal,
): Promise<void> {
  const owners = await database.query<{ owner: number; count: number }>(
    "select owner, count(*) as count from uncoded where vector_index = $1 group by owner having count(*) >= $2",
    [index.id, sizes.block],
  );
  for (const { owner, count } of owners) {
    const [total] = await database.query<{ vectors: number }>(
      `select count(*) as vectors from ${index.table} where owner = $1`,
      [owner],
    );
    if ((total?.vectors ?? 0) < sizes.from) continue;
    for (let left = count; left >= sizes.block && !signal.aborted; left -= sizes.block) {
      await database.transaction((inside) => packOne(inside, database, index, owner, sizes.block));
      await new Promise((resume) => setImmediate(resume));
    }
  }
}

async function packOne(
  inside: PluginDatabaseQuery,
  database: MemoryDatabase,
  index: VectorIndex,
  owner: number,
  size: number,
): Promise<void> {
  const rows = await inside.query<{ chunk: number; vector: Uint8Array | null }>(
    `select u.chunk, v.vector from uncoded u left join ${index.table} v on v.chunk = u.chunk
      where u.vector_index = $1 and u.owner = $2 order by u.chunk limit ${size}`,
    [index.id, owner],
  );
  const vectors = rows.flatMap(({ chunk, vector }) =>
    vector === null ? [] : [{ chunk, vector: storedVector(vector) }],
  );
  const block = encodeVectors(vectors, index.dimension);
  const blob = (number: number) => blobParameter(database, number);
  if (vectors.length > 0) {
    await inside.query(
      `insert into code_blocks (vector_index, owner, size, chunks, scales, codes)
        values ($1, $2, $3, ${blob(4)}, ${blob(5)}, ${blob(6)})`,
      [
        index.id,
        owner,
        vectors.length,
        bytesOf(block.chunks),
        bytesOf(block.scales),
        bytesOf(block.codes),
      ],
    );
  }
  await removeUncoded(
    inside,
    rows.map(({ chunk }) => chunk),
  );
}

/**
 * Removes the codes of deleted vectors from the blocks of owners who have many of them.
 * @param database - the memory's database
 * @param index - index of the current model
 * @param signal - aborts when the memory is closed
 */
export async function renewBlocks(
  database: MemoryDatabase,
  index: VectorIndex,
  signal: AbortSignal,
): Promise<void> {
  const owners = await database.query<{ owner: number; coded: number }>(
    "select owner, sum(size) as coded from code_blocks where vector_index = $1 group by owner",
    [index.id],
  );
  for (const { owner, coded } of owners) {
    const [counts] = await database.query<{ vectors: number; uncoded: number }>(
      `select (select count(*) from ${index.table} where owner = $2) as vectors,
        (select count(*) from uncoded where vector_index = $1 and owner = $2) as uncoded`,
      [index.id, owner],
    );
    const { vectors = 0, uncoded = 0 } = counts ?? {};
    if (coded - (vectors - uncoded) <= coded * MOST_DELETED) continue;
    for await (const { id, block } of blocksOf(database, index, owner)) {
      if (signal.aborted) return;
      await renewOne(database, index, id, block);
    }
  }
}

/** The block is replaced in place, because a search may be reading the blocks one after another. */
async function renewOne(
  database: MemoryDatabase,
  index: VectorIndex,
  id: number,
  block: CodeBlock,
): Promise<void> {
  const stored = await chunksIn(database, index, [...block.chunks]);
  if (block.chunks.length - stored.size <= block.chunks.length * MOST_DELETED) return;
  if (stored.size === 0) {
    await database.query("delete from code_blocks where id = $1", [id]);
    return;
  }
  const rest = codesOf(block, stored);
  const blob = (number: number) => blobParameter(database, number);
  await database.query(
    `update code_blocks set size = $2, chunks = ${blob(3)}, scales = ${blob(4)}, codes = ${blob(5)} where id = $1`,
    [id, stored.size, bytesOf(rest.chunks), bytesOf(rest.scales), bytesOf(rest.codes)],
  );
}

/**
 * Yields the blocks of an owner, oldest first.
 * @param database - the memory's database
 * @param index - index of the vectors
 * @param owner - the owner
 */
export async function* blocksOf(
  database: PluginDatabaseQuery,
  index: VectorIndex,
  owner: number,
): AsyncGenerator<{ readonly id: number; readonly block: CodeBlock }> {
  let last = 0;
  for (;;) {
    const rows = await database.query<BlockRow>(
      `select id, chunks, scales, codes from code_blocks
        where vector_index = $1 and owner = $2 and id > $3 order by id limit ${PAGE}`,
      [index.id, owner, last],
    );
    for (const row of rows) {
      last = row.id;
      yield { id: row.id, block: blockOf(row) };
    }
    if (rows.length < PAGE) return;
  }
}

async function removeUncoded(
  inside: PluginDatabaseQuery,
  chunks: readonly number[],
): Promise<void> {
  if (chunks.length === 0) return;
  await inside.query(`delete from uncoded where chunk in (${numbered(chunks, 1)})`, chunks);
}

function blockOf({ chunks, scales, codes }: Pick<BlockRow, "chunks" | "scales" | "codes">) {
  return {
    chunks: new Float64Array(alignedBytes(chunks)),
    scales: new Float32Array(alignedBytes(scales)),
    // One byte each, so that they need not be copied.
    codes: new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength),
  };
}

/** The bytes of a value may begin anywhere in a larger buffer. */
function alignedBytes(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): SqlValue {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function numbered(values: readonly unknown[], first: number): string {
  return values.map((_, index) => `$${index + first}`).join(", ");
}
