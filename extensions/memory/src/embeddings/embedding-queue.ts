import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { MemoryDatabase } from "../database/memory-database.js";
import { subjectOf } from "../documents/path.js";
import type { CodeBlocks } from "./code-blocks.js";
import type { Embedder, Embedding } from "./embedder.js";
import { embedInTime, embedTexts } from "./text-vectors.js";
import {
  dropOtherIndexes,
  findIndex,
  listIndexes,
  openIndex,
  storeVectors,
  type VectorIndex,
} from "./vector-index.js";
import { WordVectorCache } from "./word-vectors.js";

/** Maximum number of strings of one request (MEM-024). */
const BATCH = 64;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 300_000;
/** Text of the request that asks for the model and dimension of a provider. */
const PROBE = "memory";

/** Runs work after a delay. */
export type Schedule = (delayMs: number, work: () => void) => () => void;

/** Options of {@link EmbeddingQueue}. */
export interface EmbeddingQueueOptions {
  readonly now: () => number;
  /** Receives failures of the provider, once per failed attempt. */
  readonly onFailure: (problem: string) => void;
  /** Default `setTimeout`. */
  readonly schedule?: Schedule | undefined;
  /** Milliseconds for the vector of a query; default 1,500. */
  readonly queryDeadlineMs?: number | undefined;
  /** Receives the stored vectors; undefined for a database that orders vectors itself. */
  readonly codes?: CodeBlocks | undefined;
}

/** Progress of the embedding of all chunks. */
export interface EmbeddingStatus {
  /** Model of the current index; undefined before the first request to the provider. */
  readonly model: string | undefined;
  readonly dimension: number | undefined;
  readonly chunks: number;
  /** Chunks that have no vector of the current model yet. */
  readonly pending: number;
  /** Chunks that are not sent to the provider because they contain a secret. */
  readonly excluded: number;
  readonly isRunning: boolean;
  /** Last failure of the provider since the last success. */
  readonly problem: string | undefined;
}

/** Vector of a query, and the index to compare it with. */
export interface QueryVector {
  readonly vector: ArrayLike<number>;
  readonly index: VectorIndex;
}

/**
 * Gives every chunk a vector of the current model, in the background. What is missing is in the database, so that the
 * work continues after a restart; a new model or dimension makes every chunk pending again (MEM-008, MEM-020).
 */
export class EmbeddingQueue {
  readonly #database: MemoryDatabase;
  readonly #embedder: Embedder;
  readonly #options: EmbeddingQueueOptions;
  readonly #words: WordVectorCache;
  readonly #closing = new AbortController();
  #index: VectorIndex | undefined;
  #run: Promise<void> | undefined;
  #hasNew = false;
  #mustProbe = false;
  #failures = 0;
  #problem: string | undefined;
  #stored = 0;
  #cancelRetry: (() => void) | undefined;

  constructor(database: MemoryDatabase, embedder: Embedder, options: EmbeddingQueueOptions) {
    this.#database = database;
    this.#embedder = embedder;
    this.#options = options;
    this.#words = new WordVectorCache(embedder);
  }

  /** Starts embedding pending chunks, unless it runs already or waits to try again. */
  start(): void {
    this.#hasNew = true;
    if (this.#run !== undefined || this.#cancelRetry !== undefined) return;
    if (this.#closing.signal.aborted) return;
    this.#run = this.#work().finally(() => {
      this.#run = undefined;
    });
  }

  /** Waits until no request runs; pending chunks of a failed provider remain. */
  async idle(): Promise<void> {
    await this.#run;
  }

  /** Stops requests and retries. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    await this.#run;
  }

  /**
   * Returns the vector of a query.
   * @param text - the query
   * @param signal - aborts when the search ends
   * @throws an error of the provider, or an error after the deadline of queries
   */
  async embedQuery(text: string, signal: AbortSignal): Promise<QueryVector | undefined> {
    const embedding = await embedInTime(
      this.#embedder,
      [text],
      signal,
      this.#options.queryDeadlineMs,
    );
    const [vector] = embedding.vectors;
    // A query with a secret.
    if (vector === undefined) return undefined;
    const index = await findIndex(this.#database, this.#database, embedding);
    if (index === undefined || index.id !== this.#index?.id) {
      // The first query after a start, or a model that changed.
      this.#index = undefined;
      this.#mustProbe = index === undefined;
      this.start();
    }
    return index === undefined ? undefined : { vector, index };
  }

  /**
   * Returns the vectors of single words, with a model that computes them in the process.
   * @param words - words in normal form
   * @param signal - aborts when the search ends
   */
  wordVectors(
    words: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ArrayLike<number>>> {
    return this.#words.of(words, signal);
  }

  /** Returns the progress. */
  async status(): Promise<EmbeddingStatus> {
    const [newest] = await listIndexes(this.#database, this.#database);
    const index = this.#index ?? newest;
    const [counts] = await this.#database.query<{
      chunks: number;
      done: number;
      excluded: number;
    }>(
      `select count(*) as chunks, count(case when embedded_by = $1 then 1 end) as done,
        count(case when excluded = 1 then 1 end) as excluded from chunks`,
      [index?.id ?? -1],
    );
    const { chunks = 0, done = 0, excluded = 0 } = counts ?? {};
    return {
      model: index?.model,
      dimension: index?.dimension,
      chunks,
      pending: chunks - done - excluded,
      excluded,
      isRunning: this.#run !== undefined,
      problem: this.#problem,
    };
  }

  async #work(): Promise<void> {
    try {
      do {
        this.#hasNew = false;
        while (!this.#closing.signal.aborted && (await this.#embedBatch())) {
          // Searches and writes of others run between two batches.
          await new Promise((resume) => setImmediate(resume));
        }
      } while (this.#hasNew && !this.#closing.signal.aborted);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#problem = errorMessage(error);
    this.#options.onFailure(this.#problem);
    // The provider may have another model now.
    this.#index = undefined;
    this.#mustProbe = true;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** this.#failures, LONGEST_DELAY_MS);
    this.#failures += 1;
    const { schedule = afterDelay } = this.#options;
    this.#cancelRetry = schedule(delay, () => {
      this.#cancelRetry = undefined;
      this.start();
    });
  }

  /** Embeds some pending chunks; returns false when there are none. */
  async #embedBatch(): Promise<boolean> {
    const [any] = await this.#database.query("select 1 from chunks limit 1");
    if (any === undefined) return false;
    const { signal } = this.#closing;
    this.#index ??= await this.#currentIndex(signal);
    const index = this.#index;
    const rows = await this.#database.query<{ id: number; text: string; path: string }>(
      `select c.id, c.text, d.path from chunks c join documents d on d.id = c.document
        where c.excluded = 0 and (c.embedded_by is null or c.embedded_by <> $1)
        order by c.id limit ${BATCH}`,
      [index.id],
    );
    if (rows.length === 0) {
      await dropOtherIndexes(this.#database, index);
      await this.#encode(index, true);
      return false;
    }
    const embedding = await embedTexts(
      this.#embedder,
      // A note rarely repeats what its path says about its subject.
      rows.map(({ text, path }) => `${subjectOf(path)}\n${text}`.trim()),
      signal,
    );
    const vectors: { chunk: number; text: string; vector: ArrayLike<number> }[] = [];
    const excluded: number[] = [];
    for (const [position, { id, text }] of rows.entries()) {
      const vector = embedding.vectors[position];
      if (vector === undefined) excluded.push(id);
      else vectors.push({ chunk: id, text, vector });
    }
    if (vectors.length > 0) this.#requireSame(embedding, index);
    await this.#database.transaction(async (inside) => {
      const added = await storeVectors(inside, this.#database, index, vectors);
      await this.#options.codes?.add(inside, index, added);
      for (const id of excluded) {
        await inside.query("update chunks set excluded = 1 where id = $1", [id]);
      }
    });
    this.#failures = 0;
    this.#problem = undefined;
    this.#stored += vectors.length;
    await this.#encode(index, false);
    return true;
  }

  /** Encodes new vectors: during a long import now and then, so that searches do not become slow, and at its end. */
  async #encode(index: VectorIndex, isEnd: boolean): Promise<void> {
    const { codes } = this.#options;
    if (codes === undefined || (!isEnd && this.#stored < codes.sizes.block)) return;
    this.#stored = 0;
    if (isEnd) await codes.renew(index, this.#closing.signal);
    await codes.pack(index, this.#closing.signal);
  }

  #requireSame(embedding: Embedding, index: VectorIndex): void {
    if (embedding.model !== index.model || embedding.dimensions !== index.dimension) {
      throw new Error(
        `the provider changed from ${index.model} (${index.dimension}) to ${embedding.model} (${embedding.dimensions}) while chunks were embedded`,
      );
    }
  }

  /** Returns the index of the current model, whose dimension may have to be asked for. */
  async #currentIndex(signal: AbortSignal): Promise<VectorIndex> {
    const model = await this.#embedder.model();
    const known = (await listIndexes(this.#database, this.#database)).find(
      (index) => index.model === model,
    );
    if (known !== undefined && !this.#mustProbe) return known;
    const index = await this.#openIndex(await embedTexts(this.#embedder, [PROBE], signal));
    this.#mustProbe = false;
    return index;
  }

  #openIndex(embedding: Embedding): Promise<VectorIndex> {
    const now = new Date(this.#options.now()).toISOString();
    return this.#database.transaction((inside) =>
      openIndex(inside, this.#database, embedding, now),
    );
  }
}

function afterDelay(delayMs: number, work: () => void): () => void {
  const timer = setTimeout(work, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}
