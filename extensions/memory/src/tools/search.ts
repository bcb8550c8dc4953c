import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import type { SearchHit } from "../search/ranking.js";
import { DEFAULT_LIMIT, MAXIMUM_LIMIT } from "../search/search.js";
import { recallResult } from "../turns/recall.js";
import { answering, type ToolDependencies } from "./tool-context.js";

const searchParameters = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      description: "Words or a sentence.",
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAXIMUM_LIMIT,
        default: DEFAULT_LIMIT,
        description: "Most hits.",
      }),
    ),
    path: Type.Optional(Type.String({ description: "Folder or document." })),
    space: Type.Optional(Type.String({ description: "From memory_spaces." })),
    tags: Type.Optional(Type.Array(Type.String(), { description: "All of them." })),
    from: Type.Optional(Type.String({ description: "First day, YYYY-MM-DD." })),
    to: Type.Optional(Type.String({ description: "Last day." })),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool that searches the memory (MEM-030, MEM-043).
 * @param dependencies - memory, and owner of the documents
 */
export function createSearchTool({ services, owner, session }: ToolDependencies) {
  return defineTool({
    name: "memory_search",
    label: "Search memory",
    description:
      "Search your long-term memory before you answer about earlier work, decisions, dates, people, preferences or tasks. " +
      "Decide by text, similarity, match and coverage whether a hit is an answer.",
    parameters: searchParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { query, limit = DEFAULT_LIMIT, path, space, tags, from, to }, signal) =>
      answering(async () => {
        const { search } = await services();
        const notes: string[] = [];
        let mode = "none";
        const found = new Map<string, SearchHit>();
        const asked = defined({ query, limit, corpus: path === undefined ? undefined : [path] });
        const { recall = (wanted, run) => run(wanted) } = session;
        const results = await recall(asked, async (wanted) => {
          const result = await search.search(owner, {
            query: wanted.query,
            limit: Math.min(Math.max(wanted.limit, 1), MAXIMUM_LIMIT),
            paths: wanted.corpus,
            space,
            tags,
            from,
            to,
            signal,
          });
          notes.push(...result.notes);
          mode = result.mode;
          return result.hits.map((hit) => {
            const known = recallResult(hit);
            found.set(known.id, hit);
            return known;
          });
        });
        return defined({
          hits: results.map(({ id, text, score, source }) => {
            const hit = found.get(id);
            return {
              path: hit?.path ?? source ?? id,
              // A handler of `after_recall` may have changed the text.
              text: hit !== undefined && text === recallResult(hit).text ? hit.text : text,
              score: rounded(score),
              fullTextRank: hit?.fullTextRank,
              vectorRank: hit?.vectorRank,
              similarity: rounded(hit?.similarity),
              match: rounded(hit?.match),
              coverage: rounded(hit?.fullText?.coverage),
            };
          }),
          mode,
          notes: notes.length === 0 ? undefined : notes,
        });
      }),
  });
}

function rounded(value: number): number;
function rounded(value: number | undefined): number | undefined;
function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1000) / 1000;
}
