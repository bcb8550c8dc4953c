import type { PluginStore } from "@openclaw/plugin-sdk/store";
import type { ChunkerOptions } from "./chunks/chunker.js";
import { type MemoryDatabase, openMemoryDatabase } from "./database/memory-database.js";
import { Documents } from "./documents/documents.js";
import { TextIndex } from "./documents/text-index.js";
import { CodeBlocks, type CodeSizes } from "./embeddings/code-blocks.js";
import type { Embedder } from "./embeddings/embedder.js";
import { EmbeddingQueue, type Schedule } from "./embeddings/embedding-queue.js";
import { Connections } from "./organisation/connections.js";
import { Profiles } from "./organisation/profile.js";
import { Spaces } from "./organisation/spaces.js";
import type { RankingOptions } from "./search/ranking.js";
import { Search } from "./search/search.js";

/** Options of {@link openMemory}. */
export interface MemoryOptions {
  /** Creates vectors; without it only full text is searched. */
  readonly embedder?: Embedder | undefined;
  readonly chunker?: ChunkerOptions | undefined;
  readonly ranking?: Partial<RankingOptions> | undefined;
  /** Returns the time in milliseconds since the epoch; default that of the process. */
  readonly now?: (() => number) | undefined;
  /** Receives the failure of the work in the background that indexes documents again. */
  readonly onIndexFailure?: ((problem: string) => void) | undefined;
  /** Receives failures of the embedding provider. */
  readonly onEmbeddingFailure?: ((problem: string) => void) | undefined;
  /** Replaces the timer of retries. */
  readonly schedule?: Schedule | undefined;
  /** Milliseconds for the vector of a query; default 1,500. */
  readonly queryDeadlineMs?: number | undefined;
  /** Sizes from which searches compare codes of vectors first. */
  readonly codeSizes?: CodeSizes | undefined;
}

/** Everything that the memory stores, and its searches. */
export interface Memory {
  readonly database: MemoryDatabase;
  readonly documents: Documents;
  readonly search: Search;
  readonly connections: Connections;
  readonly spaces: Spaces;
  readonly profiles: Profiles;
  /** Full-text index, whose work in the background begins when the memory is opened. */
  readonly texts: TextIndex;
  /** Undefined without an embedder. */
  readonly embeddings: EmbeddingQueue | undefined;
  readonly now: () => number;
  /** Stops the background work; the host closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the memory in the store of a plugin.
 * @param store - `api.store`
 * @param options - embedder, sizes and clock
 * @throws PluginMigrationError when the database cannot be migrated
 */
export async function openMemory(
  store: Pick<PluginStore, "database">,
  options: MemoryOptions = {},
): Promise<Memory> {
  const { embedder, chunker, ranking, schedule, codeSizes, now = Date.now } = options;
  const database = await openMemoryDatabase(store);
  const codes =
    database.vectors.extension === "pgvector" ? undefined : new CodeBlocks(database, codeSizes);
  const embeddings =
    embedder &&
    new EmbeddingQueue(database, embedder, {
      now,
      schedule,
      codes,
      queryDeadlineMs: options.queryDeadlineMs,
      onFailure: options.onEmbeddingFailure ?? (() => undefined),
    });
  const onPending = () => embeddings?.start();
  const documents = new Documents(database, { chunker, now, onPending });
  const texts = new TextIndex(database, {
    chunker,
    onPending,
    onFailure: options.onIndexFailure ?? (() => undefined),
  });
  texts.start();
  return {
    database,
    documents,
    texts,
    embeddings,
    now,
    search: new Search({ database, documents, embeddings, ranking, codes }),
    connections: new Connections(database, documents, now),
    spaces: new Spaces(database, documents, now),
    profiles: new Profiles(database, now),
    async close() {
      await texts.close();
      await embeddings?.close();
    },
  };
}
