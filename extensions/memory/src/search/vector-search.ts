import type { MemoryDatabase } from "../database/memory-database.js";
import type { CodeBlocks } from "../embeddings/code-blocks.js";
import type { QueryVector } from "../embeddings/embedding-queue.js";
import { areWhole, bestPositions, productsOf, scoreCodes } from "../embeddings/vector-codes.js";
import { type Candidate, type CandidateRow, candidateColumns } from "./candidate.js";
import type { Condition } from "./filter.js";
import { byNearness, type Neighbour, nearestOf, similaritiesOf } from "./similarity.js";

/** Number of vectors that are compared for each chunk that is asked for; enough for a recall of 0.99. */
const COMPARED = 4;
/** The same for vectors whose codes have a part of their coordinates. */
const COMPARED_OF_PARTS = 16;
/** Maximum number of codes whose vectors are compared; a filter that leaves fewer of them is not searched by codes. */
const MOST_COMPARED = 12_800;

/** Search for the nearest vectors. */
export interface VectorSearch {
  readonly query: QueryVector;
  readonly owner: number;
  /** Condition for documents `d`; its first parameter has the number 2. */
  readonly filter: Condition;
  readonly limit: number;
  /** Codes of vectors; without them all vectors are compared. */
  readonly codes?: CodeBlocks | undefined;
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
  // Only the nearest chunks are joined with their texts, which would take longer than the distances.
  return await load(database, await nearest(database, search));
}

/**
 * Returns the chunks whose vectors are nearest, best first. Where an owner has many vectors, their codes select the
 * vectors that are compared.
 * @param database - the memory's database
 * @param search - vector, owner, filter, and maximum number of chunks
 */
export async function nearest(
  database: MemoryDatabase,
  search: VectorSearch,
): Promise<readonly Neighbour[]> {
  const { query, owner, filter, limit } = search;
  const { codes } = search;
  if (codes === undefined || !(await isCoded(database, search, codes))) {
    const allowed =
      filter.sql === ""
        ? ""
        : ` and v.chunk in (select c.id from chunks c join documents d on d.id = c.document
            where c.owner = $1${filter.sql})`;
    const from = `from ${query.index.table} v where v.owner = $1${allowed}`;
    return await nearestOf(database, query, { from, params: [owner, ...filter.params] }, limit);
  }
  // Before the blocks, because vectors move from here to a block meanwhile.
  const uncoded = await nearestOf(
    database,
    query,
    {
      from: `from uncoded u join ${query.index.table} v on v.chunk = u.chunk
        where u.owner = $1 and u.vector_index = ${query.index.id}${allowedChunk(filter)}`,
      params: [owner, ...filter.params],
    },
    limit,
  );
  const found = new Map(uncoded.map((each) => [each.chunk, each]));
  for (const each of await nearestCoded(database, search, codes)) found.set(each.chunk, each);
  return [...found.values()].sort(byNearness).slice(0, limit);
}

/** Returns true when codes are compared first: not where there are none, or where the filter leaves few documents. */
async function isCoded(
  database: MemoryDatabase,
  { query, owner, filter }: VectorSearch,
  codes: CodeBlocks,
): Promise<boolean> {
  if (!(await codes.has(query.index, owner))) return false;
  if (filter.sql === "") return true;
  const [allowed] = await database.query<{ count: number }>(
    `select count(*) as count from (
        select 1 from documents d join chunks c on c.document = d.id
          where d.owner = $1${filter.sql} limit ${codes.sizes.from}
      ) as found`,
    [owner, ...filter.params],
  );
  return (allowed?.count ?? 0) >= codes.sizes.from;
}

async function nearestCoded(
  database: MemoryDatabase,
  { query, owner, filter, limit }: VectorSearch,
  codes: CodeBlocks,
): Promise<Neighbour[]> {
  const products = productsOf(query.vector);
  const blocks = await codes.of(query.index, owner);
  const chunks = blocks.map((block) => block.chunks);
  const scores = blocks.map((block) => {
    const part = new Float32Array(block.scales.length);
    scoreCodes(block, products, part);
    return part;
  });
  const total = scores.reduce((sum, { length }) => sum + length, 0);
  const ids = filled(new Float64Array(total), chunks);
  const all = filled(new Float32Array(total), scores);
  const condition =
    filter.sql === ""
      ? undefined
      : { sql: allowedChunk(filter), params: [owner, ...filter.params] };
  const asked = limit * (areWhole(query.vector.length) ? COMPARED : COMPARED_OF_PARTS);
  const found: Neighbour[] = [];
  // The filter, or chunks that were deleted, may leave too few of the best.
  for (let from = 0, to = asked; from < total; from = to, to = to * 2) {
    const best = bestPositions(all, to).slice(from, to);
    const compared = await similaritiesOf(
      database,
      query,
      best.map((position) => ids[position] ?? 0),
      condition,
    );
    for (const [chunk, similarity] of compared) found.push({ chunk, similarity });
    if (found.length >= asked / 2 || to >= MOST_COMPARED) break;
  }
  return found;
}

function filled<Numbers extends Float32Array | Float64Array>(
  whole: Numbers,
  parts: readonly Numbers[],
): Numbers {
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}

/** Returns the condition that the chunk of a vector `v` is allowed; parameter 1 is the owner. */
function allowedChunk(filter: Condition): string {
  return filter.sql === ""
    ? ""
    : ` and exists (select 1 from chunks c join documents d on d.id = c.document
        where c.id = v.chunk and c.owner = $1${filter.sql})`;
}

async function load(
  database: MemoryDatabase,
  neighbours: readonly Neighbour[],
): Promise<Candidate[]> {
  if (neighbours.length === 0) return [];
  const rows = await database.query<CandidateRow>(
    `select ${candidateColumns(database.time)} from chunks c join documents d on d.id = c.document
      where c.id in (${neighbours.map((_, index) => `$${index + 1}`).join(", ")})`,
    neighbours.map(({ chunk }) => chunk),
  );
  const byChunk = new Map(rows.map((row) => [row.chunk, row]));
  return neighbours.flatMap(({ chunk, similarity }, index) => {
    const row = byChunk.get(chunk);
    return row === undefined ? [] : [{ ...row, rank: index + 1, evidence: similarity }];
  });
}
