import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { type ChunkerOptions, DEFAULT_CHUNKER } from "../chunks/chunker.js";
import { TEXT_VERSION } from "../database/full-text-table.js";
import type { MemoryDatabase } from "../database/memory-database.js";
import { rechunk } from "./content.js";

/** Documents of one transaction, between which searches and writes run. */
const BATCH = 20;

/** Options of {@link TextIndex}. */
export interface TextIndexOptions {
  readonly chunker?: ChunkerOptions | undefined;
  /** Called when chunks may have no vector. */
  readonly onPending: () => void;
  /** Receives the failure of the database; the work continues at the next start. */
  readonly onFailure: (problem: string) => void;
}

/**
 * Chunks and indexes documents again, in the background, after an upgrade that divides text in another way: searches
 * find the words of the documents that are done, and vectors of chunks that did not change are kept. What is missing is
 * in the database, so that the work continues after a restart (MEM-322).
 */
export class TextIndex {
  readonly #database: MemoryDatabase;
  readonly #options: TextIndexOptions;
  #isClosed = false;
  #run: Promise<void> | undefined;

  constructor(database: MemoryDatabase, options: TextIndexOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Starts the work, unless it runs already. */
  start(): void {
    if (this.#isClosed || !this.#database.hasFullText) return;
    this.#run ??= this.#work()
      .catch((error: unknown) => this.#options.onFailure(errorMessage(error)))
      .finally(() => {
        this.#run = undefined;
      });
  }

  /** Waits until the work is done. */
  async idle(): Promise<void> {
    await this.#run;
  }

  /** Ends the work after the current batch. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run;
  }

  /** Returns the number of chunks whose words are not searched yet. */
  async pending(): Promise<number> {
    if (!this.#database.hasFullText) return 0;
    const [row] = await this.#database.query<{ count: number }>(
      `select count(*) as count from chunks where text_version <> ${TEXT_VERSION}`,
    );
    return row?.count ?? 0;
  }

  async #work(): Promise<void> {
    for (;;) {
      const rows = await this.#database.query<{ id: string }>(
        `select distinct cast(document as text) as id from chunks
          where text_version <> ${TEXT_VERSION} limit ${BATCH}`,
      );
      if (rows.length === 0 || this.#isClosed) return;
      await this.#database.transaction(async (inside) => {
        const { chunker = DEFAULT_CHUNKER } = this.#options;
        for (const { id } of rows) await rechunk(inside, this.#database, id, chunker);
      });
      this.#options.onPending();
      await new Promise((resume) => setImmediate(resume));
    }
  }
}
