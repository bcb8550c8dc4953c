import type { SqlValue } from "@openclaw/plugin-sdk/store";
import type { MemoryDatabase } from "../database/memory-database.js";
import type { QueryVector } from "../embeddings/embedding-queue.js";
import { distanceTo, vectorValue } from "../embeddings/vector-index.js";
import { type Candidate, type CandidateRow, candidateColumns } from "./candidate.js";
import type { Condition } from "./filter.js";

/** Number of chunks of an owner up to which vectors are compared in JavaScript. */
export const MAXIMUM_SCAN = 20_000;

/** Search for the nearest vectors. */
export interface VectorSearch {
  readonly query: QueryVector;
  readonly owner: number;
  readonly filter: Condition;
  readonly limit: number;
}

/**
 * Finds the chunks whose vectors are nearest, best first.
 * @param database - the memory's database
 * @param search - vector, owner, filter, and maximum number of chunks
 */
export async function searchVectors(
  database: MemoryDatabase,
  search: VectorSearch,
): Promise<Candidate[]> {
  const { query, owner, filter, limit } = search;
  // Only the nearest chunks are joined with their texts, which would take longer than the distances.
  const allowed =
    filter.sql === ""
      ? ""
      : ` and v.chunk in (select c.id from chunks c join documents d on d.id = c.document
          where c.owner = $1${filter.sql})`;
  const from = `from ${query.index.table} v where v.owner = $1${allowed}`;
  if (database.vectors.extension === "none") {
    const similarities = await scan(database, query, `${from} limit ${MAXIMUM_SCAN}`, [
      owner,
      ...filter.params,
    ]);
    const nearest = [...similarities].sort(([, a], [, b]) => b - a).slice(0, limit);
    return await load(database, new Map(nearest));
  }
  const number = filter.params.length + 2;
  const rows = await database.query<CandidateRow & { distance: number }>(
    `with nearest as (
        select v.chunk as near, ${distanceTo(database, number)} as distance ${from}
          order by distance, v.chunk limit ${limit}
      )
      select ${candidateColumns(database.time)}, n.distance from nearest n
        join chunks c on c.id = n.near
        join documents d on d.id = c.document
        order by n.distance, c.id`,
    [owner, ...filter.params, vectorValue(database, query.vector)],
  );
  return rows.map(({ distance, ...row }, index) => ({
    ...row,
    rank: index + 1,
    evidence: similarityOf(distance),
  }));
}

/**
 * Returns the similarities of chunks, for those that only the full-text search found.
 * @param database - the memory's database
 * @param query - vector of the query
 * @param chunks - IDs of chunks
 */
export async function similaritiesOf(
  database: MemoryDatabase,
  query: QueryVector,
  chunks: readonly number[],
): Promise<Map<number, number>> {
  if (chunks.length === 0) return new Map();
  const numbers = (first: number) => chunks.map((_, index) => `$${index + first}`).join(", ");
  if (database.vectors.extension === "none") {
    const from = `from ${query.index.table} v where v.chunk in (${numbers(1)})`;
    return await scan(database, query, from, chunks);
  }
  const rows = await database.query<{ chunk: number; distance: number }>(
    `select v.chunk, ${distanceTo(database, 1)} as distance from ${query.index.table} v
      where v.chunk in (${numbers(2)})`,
    [vectorValue(database, query.vector), ...chunks],
  );
  return new Map(rows.map(({ chunk, distance }) => [chunk, similarityOf(distance)]));
}

/**
 * Returns the similarities of chunks to a query apart from the names in it: the partial correlation of both vectors
 * without the direction of the names.
 * @param database - the memory's database
 * @param query - vectors of the query and of its names
 * @param similarities - similarities of the chunks to the whole query
 */
export async function topicSimilarities(
  database: MemoryDatabase,
  query: QueryVector,
  similarities: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  if (query.names === undefined) return new Map();
  const asked = cosine(Float32Array.from(query.vector), Float32Array.from(query.names));
  const names = { vector: query.names, index: query.index, names: undefined };
  const shared = await similaritiesOf(database, names, [...similarities.keys()]);
  return new Map(
    [...shared].map(([chunk, name]) => {
      const rest = Math.sqrt((1 - asked ** 2) * (1 - name ** 2));
      const topic = (similarities.get(chunk) ?? 0) - asked * name;
      // A query of names alone has no topic.
      return [chunk, rest > 1e-6 ? topic / rest : 1];
    }),
  );
}

/** The distance of a vector without a direction is not a number. */
function similarityOf(distance: number): number {
  return Number.isFinite(distance) ? 1 - distance : 0;
}

async function scan(
  database: MemoryDatabase,
  { vector }: QueryVector,
  from: string,
  params: readonly SqlValue[],
): Promise<Map<number, number>> {
  const rows = await database.query<{ chunk: number; vector: Uint8Array }>(
    `select v.chunk, v.vector ${from}`,
    params,
  );
  const asked = Float32Array.from(vector);
  return new Map(
    rows.map(({ chunk, vector: stored }) => [
      chunk,
      // The bytes may begin anywhere in a larger buffer.
      cosine(asked, new Float32Array(Uint8Array.from(stored).buffer)),
    ]),
  );
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

async function load(
  database: MemoryDatabase,
  similarities: ReadonlyMap<number, number>,
): Promise<Candidate[]> {
  const chunks = [...similarities.keys()];
  if (chunks.length === 0) return [];
  const rows = await database.query<CandidateRow>(
    `select ${candidateColumns(database.time)} from chunks c join documents d on d.id = c.document
      where c.id in (${chunks.map((_, index) => `$${index + 1}`).join(", ")})`,
    chunks,
  );
  const byChunk = new Map(rows.map((row) => [row.chunk, row]));
  return chunks.flatMap((chunk, index) => {
    const row = byChunk.get(chunk);
    return row === undefined
      ? []
      : [{ ...row, rank: index + 1, evidence: similarities.get(chunk) ?? 0 }];
  });
}
