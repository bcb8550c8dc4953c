import type { EmbeddingStatus } from "./embeddings/embedding-queue.js";
import type { Memory } from "./memory.js";

/** State of the memory for its operator. */
export interface MemoryStatus {
  readonly documents: number;
  /** Number of pairs of a user and an agent that have documents. */
  readonly owners: number;
  readonly chunks: number;
  readonly engine: "sqlite" | "postgres";
  readonly fullText: boolean;
  /** Chunks whose words are not searched yet, because an upgrade indexes them again. */
  readonly unindexed: number;
  readonly vectorFunctions: "sqlite-vec" | "libsql" | "pgvector" | "none";
  /** Undefined without an embedding provider. */
  readonly embedding: EmbeddingStatus | undefined;
  /** Sentences about what the database lacks. */
  readonly notices: readonly string[];
}

/**
 * Returns the state of the memory.
 * @param memory - the memory
 */
export async function memoryStatus({
  database,
  texts,
  embeddings,
}: Pick<Memory, "database" | "texts" | "embeddings">): Promise<MemoryStatus> {
  const [counts] = await database.query<{ documents: number; owners: number; chunks: number }>(
    `select (select count(*) from documents) as documents, (select count(*) from owners) as owners,
      (select count(*) from chunks) as chunks`,
  );
  const { documents = 0, owners = 0, chunks = 0 } = counts ?? {};
  return {
    documents,
    owners,
    chunks,
    engine: database.dialect,
    fullText: database.hasFullText,
    unindexed: await texts.pending(),
    vectorFunctions: database.vectors.extension,
    embedding: await embeddings?.status(),
    notices: database.notices,
  };
}
