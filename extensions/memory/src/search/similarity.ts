import type { SqlValue } from "@openclaw/plugin-sdk/store";
import type { MemoryDatabase } from "../database/memory-database.js";
import type { QueryVector } from "../embeddings/embedding-queue.js";
import { distanceTo, storedVector, vectorValue } from "../embeddings/vector-value.js";
import type { Condition } from "./filter.js";

/** A chunk and the cosine similarity of its vector to a query. */
export interface Neighbour {
  readonly chunk: number;
  readonly similarity: number;
}

/** Vectors to compare with a query. */
export interface ComparedVectors {
  /** Tables and condition of a statement in which `v` is the table of vectors. */
  readonly from: string;
  readonly params: readonly SqlValue[];
}

/**
 * Compares a query with vectors, one after another.
 * @param database - the memory's database
 * @param compared - the vectors
 * @param limit - maximum number of chunks
 * @returns the nearest chunks, best first
 */
export async function nearestOf(
  database: MemoryDatabase,
  query: QueryVector,
  { from, params }: ComparedVectors,
  limit: number,
): Promise<Neighbour[]> {
  if (database.vectors.extension !== "none") {
    const rows = await database.query<{ chunk: number; distance: number }>(
      `select v.chunk, ${distanceTo(database, params.length + 1)} as distance ${from}
        order by distance, v.chunk limit ${limit}`,
      [...params, vectorValue(database, query.vector)],
    );
    return rows.map(({ chunk, distance }) => ({ chunk, similarity: similarityOf(distance) }));
  }
  const rows = await database.query<{ chunk: number; vector: Uint8Array }>(
    `select v.chunk, v.vector ${from}`,
    params,
  );
  const asked = Float32Array.from(query.vector);
  return rows
    .map(({ chunk, vector }) => ({ chunk, similarity: cosine(asked, storedVector(vector)) }))
    .sort(byNearness)
    .slice(0, limit);
}

/** Nearest first; of equal similarities the older chunk. */
export function byNearness(one: Neighbour, other: Neighbour): number {
  return other.similarity - one.similarity || one.chunk - other.chunk;
}

/**
 * Returns the similarities of chunks.
 * @param database - the memory's database
 * @param chunks - IDs of chunks; those without a vector are left out
 * @param condition - condition for the chunks, with the numbers of its parameters
 */
export async function similaritiesOf(
  database: MemoryDatabase,
  query: QueryVector,
  chunks: readonly number[],
  condition: Condition = { sql: "", params: [] },
): Promise<Map<number, number>> {
  if (chunks.length === 0) return new Map();
  const first = condition.params.length + 1;
  const numbers = chunks.map((_, index) => `$${index + first}`).join(", ");
  const found = await nearestOf(
    database,
    query,
    {
      from: `from ${query.index.table} v where v.chunk in (${numbers})${condition.sql}`,
      params: [...condition.params, ...chunks],
    },
    chunks.length,
  );
  return new Map(found.map(({ chunk, similarity }) => [chunk, similarity]));
}

/** The distance of a vector without a direction is not a number. */
function similarityOf(distance: number): number {
  return Number.isFinite(distance) ? 1 - distance : 0;
}

function cosine(one: Float32Array, other: Float32Array): number {
  let product = 0;
  let oneSquare = 0;
  let otherSquare = 0;
  for (let index = 0; index < one.length; index += 1) {
    const a = one[index] ?? 0;
    const b = other[index] ?? 0;
    product += a * b;
    oneSquare += a * a;
    otherSquare += b * b;
  }
  const length = Math.sqrt(oneSquare * otherSquare);
  return length === 0 ? 0 : product / length;
}
