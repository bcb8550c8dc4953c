import type { PluginDatabaseQuery } from "@openclaw/plugin-sdk/store";
import { byScore, type SearchHit } from "./ranking.js";

/** Factor that puts a superseded document directly behind its successor. */
const BEHIND = 0.999;

/**
 * Ranks documents that another one updates behind it, when both were found (MEM-026).
 * @param query - the memory's database
 * @param hits - hits, best first
 * @returns the hits in their new order
 */
export async function demoteSuperseded(
  query: PluginDatabaseQuery,
  hits: readonly SearchHit[],
): Promise<SearchHit[]> {
  const documents = [...new Set(hits.map(({ document }) => document))];
  if (documents.length < 2) return [...hits];
  const list = documents.map((_, index) => `$${index + 1}`).join(", ");
  const links = await query.query<{ source: string; target: string }>(
    `select source, target from connections
      where type = 'updates' and source in (${list}) and target in (${list})`,
    documents,
  );
  const ranked = [...hits];
  // A document may have been updated several times in a row.
  for (let round = 0; round < links.length; round += 1) {
    let changed = false;
    for (const { source, target } of links) {
      const best = Math.max(
        ...ranked.filter(({ document }) => document === source).map(({ score }) => score),
      );
      for (const [index, hit] of ranked.entries()) {
        if (hit.document !== target || hit.score < best) continue;
        ranked[index] = { ...hit, score: best * BEHIND };
        changed = true;
      }
    }
    if (!changed) break;
  }
  return ranked.sort(byScore);
}
