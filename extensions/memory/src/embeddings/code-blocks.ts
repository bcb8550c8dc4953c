import type { PluginDatabaseQuery, SqlValue } from "@openclaw/plugin-sdk/store";
import type { MemoryDatabase } from "../database/memory-database.js";
import { BlockCache } from "./block-cache.js";
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

/** Fewer vectors are compared as fast as codes, by `bench/speed.bench.mjs`. */
export const DEFAULT_CODE_SIZES: CodeSizes = { from: 20_000, block: 1024 };

/** Share of deleted vectors from which they are removed from blocks. */
const MOST_DELETED = 0.25;
/** Blocks that are read at once. */
const PAGE = 16;

interface BlockRow {
  readonly id: number;
  readonly chunks: Uint8Array;
  readonly scales: Uint8Array;
  readonly codes: Uint8Array;
}

/**
 * Codes of vectors, in blocks that never change, so that processes may keep them in memory. A vector that is in no block
 * yet is in the table `uncoded`.
 */
export class CodeBlocks {
  readonly #database: MemoryDatabase;
  readonly #cache = new BlockCache();
  readonly sizes: CodeSizes;

  /**
   * @param database - a database that does not order vectors itself
   * @param sizes - sizes from which vectors have codes
   */
  constructor(database: MemoryDatabase, sizes: CodeSizes = DEFAULT_CODE_SIZES) {
    this.#database = database;
    this.sizes = sizes;
  }

  /** Returns true when the vectors of an owner have codes. */
  async has(index: VectorIndex, owner: number): Promise<boolean> {
    const [block] = await this.#database.query(
      "select 1 from code_blocks where vector_index = $1 and owner = $2 limit 1",
      [index.id, owner],
    );
    return block !== undefined;
  }

  /** Returns the blocks of an owner, oldest first. */
  async of(index: VectorIndex, owner: number): Promise<readonly CodeBlock[]> {
    for (;;) {
      const ids = await this.#ids(index, owner);
      const blocks = new Map<number, CodeBlock>();
      for (let start = 0; start < ids.length; start += PAGE) {
        const page = ids.slice(start, start + PAGE);
        for (const [id, block] of await this.#read(page)) blocks.set(id, block);
      }
      // A block may have been replaced meanwhile.
      if (blocks.size === ids.length) return [...blocks.values()];
    }
  }

  /**
   * Notes vectors that are in no block yet.
   * @param inside - the transaction that stores the vectors
   * @param index - their index
   * @param chunks - their chunks
   */
  async add(
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
   * searches run.
   * @param index - index of the current model
   * @param signal - aborts when the memory is closed
   */
  async pack(index: VectorIndex, signal: AbortSignal): Promise<void> {
    const { block, from } = this.sizes;
    const owners = await this.#database.query<{ owner: number; count: number }>(
      "select owner, count(*) as count from uncoded where vector_index = $1 group by owner having count(*) >= $2",
      [index.id, block],
    );
    for (const { owner, count } of owners) {
      const [total] = await this.#database.query<{ vectors: number }>(
        `select count(*) as vectors from ${index.table} where owner = $1`,
        [owner],
      );
      if ((total?.vectors ?? 0) < from) continue;
      for (let left = count; left >= block && !signal.aborted; left -= block) {
        await this.#database.transaction((inside) => this.#packOne(inside, index, owner));
        await new Promise((resume) => setImmediate(resume));
      }
    }
  }

  /**
   * Replaces the blocks of owners who deleted many vectors.
   * @param index - index of the current model
   * @param signal - aborts when the memory is closed
   */
  async renew(index: VectorIndex, signal: AbortSignal): Promise<void> {
    const owners = await this.#database.query<{ owner: number; coded: number }>(
      "select owner, sum(size) as coded from code_blocks where vector_index = $1 group by owner",
      [index.id],
    );
    for (const { owner, coded } of owners) {
      const [counts] = await this.#database.query<{ vectors: number; uncoded: number }>(
        `select (select count(*) from ${index.table} where owner = $2) as vectors,
          (select count(*) from uncoded where vector_index = $1 and owner = $2) as uncoded`,
        [index.id, owner],
      );
      const { vectors = 0, uncoded = 0 } = counts ?? {};
      if (coded - (vectors - uncoded) <= coded * MOST_DELETED) continue;
      for (const id of await this.#ids(index, owner)) {
        if (signal.aborted) return;
        await this.#renewOne(index, owner, id);
      }
    }
  }

  async #packOne(inside: PluginDatabaseQuery, index: VectorIndex, owner: number): Promise<void> {
    const rows = await inside.query<{ chunk: number; vector: Uint8Array | null }>(
      `select u.chunk, v.vector from uncoded u left join ${index.table} v on v.chunk = u.chunk
        where u.vector_index = $1 and u.owner = $2 order by u.chunk limit ${this.sizes.block}`,
      [index.id, owner],
    );
    const vectors = rows.flatMap(({ chunk, vector }) =>
      vector === null ? [] : [{ chunk, vector: storedVector(vector) }],
    );
    await this.#insert(inside, index, owner, encodeVectors(vectors, index.dimension));
    const chunks = rows.map(({ chunk }) => chunk);
    if (chunks.length === 0) return;
    await inside.query(`delete from uncoded where chunk in (${numbered(chunks, 1)})`, chunks);
  }

  /** The new block has another ID: processes keep blocks by their IDs. */
  async #renewOne(index: VectorIndex, owner: number, id: number): Promise<void> {
    await this.#database.transaction(async (inside) => {
      const block = (await this.#read([id], inside)).get(id);
      if (block === undefined) return;
      const stored = await chunksIn(inside, index, [...block.chunks]);
      if (block.chunks.length - stored.size <= block.chunks.length * MOST_DELETED) return;
      await inside.query("delete from code_blocks where id = $1", [id]);
      await this.#insert(inside, index, owner, codesOf(block, stored));
    });
  }

  async #insert(
    inside: PluginDatabaseQuery,
    index: VectorIndex,
    owner: number,
    { chunks, scales, codes }: CodeBlock,
  ): Promise<void> {
    if (chunks.length === 0) return;
    const blob = (number: number) => blobParameter(this.#database, number);
    await inside.query(
      `insert into code_blocks (vector_index, owner, size, chunks, scales, codes)
        values ($1, $2, $3, ${blob(4)}, ${blob(5)}, ${blob(6)})`,
      [index.id, owner, chunks.length, bytesOf(chunks), bytesOf(scales), codes],
    );
  }

  async #ids(index: VectorIndex, owner: number): Promise<number[]> {
    const rows = await this.#database.query<{ id: number }>(
      "select id from code_blocks where vector_index = $1 and owner = $2 order by id",
      [index.id, owner],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the blocks that exist, those in memory without a query. */
  async #read(
    ids: readonly number[],
    query: PluginDatabaseQuery = this.#database,
  ): Promise<ReadonlyMap<number, CodeBlock>> {
    const blocks = new Map<number, CodeBlock>();
    const others: number[] = [];
    for (const id of ids) {
      const block = this.#cache.get(id);
      if (block === undefined) others.push(id);
      else blocks.set(id, block);
    }
    if (others.length === 0) return blocks;
    const rows = await query.query<BlockRow>(
      `select id, chunks, scales, codes from code_blocks where id in (${numbered(others, 1)})`,
      others,
    );
    for (const row of rows) {
      const block = blockOf(row);
      this.#cache.set(row.id, block);
      blocks.set(row.id, block);
    }
    return blocks;
  }
}

function blockOf({ chunks, scales, codes }: BlockRow): CodeBlock {
  return {
    chunks: new Float64Array(copyOf(chunks)),
    scales: new Float32Array(copyOf(scales)),
    codes: new Uint8Array(copyOf(codes)),
  };
}

/** The bytes of a value may begin anywhere in a larger buffer. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): SqlValue {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function numbered(values: readonly unknown[], first: number): string {
  return values.map((_, index) => `$${index + first}`).join(", ");
}
