import type { RecallResult } from "@openclaw/plugin-sdk/hooks";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";
import { ownerOf } from "../owner.js";
import type { SearchHit } from "../search/ranking.js";
import { MAXIMUM_LIMIT, type Search } from "../search/search.js";
import { withoutBackground } from "./background.js";

/** Characters per token, by the estimate of the host. */
const CHARACTERS_PER_TOKEN = 4;

/** End of a hit that the limit shortens. */
const SHORTENED = " … (shortened)";

/** Options of {@link recall}. */
export interface RecallOptions {
  readonly maxTokens: number;
  readonly inGroups: boolean;
  /** True offers the nearest hits whatever they are, because the operator has set the limit of similarity. */
  readonly hasLimit: boolean;
}

/**
 * Answers the automatic search of a turn (MEM-038).
 * @param search - the search as changed by hooks
 * @param options - limits
 * @returns results within the limit of tokens, best first
 */
export async function recall(
  memory: Search,
  search: MemorySearch,
  { maxTokens, inGroups, hasLimit }: RecallOptions,
): Promise<RecallResult[]> {
  const { query, limit, corpus, agentId, requester, signal } = search;
  if (requester?.groupId !== undefined && !inGroups) return [];
  const owner = ownerOf({ agentId, ...requester });
  if (owner === undefined || limit < 1) return [];
  const found = await memory.search(owner, {
    query,
    limit: Math.min(limit, MAXIMUM_LIMIT),
    paths: corpus,
    signal,
  });
  const offered = hasLimit ? found.hits : withoutBackground(found, query);
  return withinTokens(offered.map(recallResult), maxTokens);
}

/** Returns a hit in the form of the hooks around a search. */
export function recallResult(hit: SearchHit): RecallResult {
  const { path, chunk, text, score, similarity, fullText, fullTextRank, vectorRank } = hit;
  return {
    id: `${path}#${chunk}`,
    text: `[${path}] ${text}`,
    score,
    source: path,
    metadata: { path, chunk, similarity, coverage: fullText?.coverage, fullTextRank, vectorRank },
  };
}

function withinTokens(results: readonly RecallResult[], maxTokens: number): RecallResult[] {
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  const kept: RecallResult[] = [];
  for (const result of results) {
    const isWhole = result.text.length <= left;
    if (!isWhole && left <= SHORTENED.length) break;
    // A pair of surrogates that the limit divides is left out.
    const text = isWhole
      ? result.text
      : startOfText(result.text, left - SHORTENED.length) + SHORTENED;
    kept.push({ ...result, text });
    if (!isWhole) break;
    left -= text.length;
  }
  return kept;
}
