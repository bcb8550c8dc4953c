import type { ToolEntry } from "../tool-call/tool-entry.js";

/** Weight of a word of the query that is a whole word of the name. */
const NAME_WORD = 6;
/** Weight of a word that is a part of the name. */
const NAME_PART = 3;
/** Shorter words, such as "an", are parts of too many names. */
const SHORTEST_PART = 3;
/** Weight of a word of the description or of the names of parameters. */
const TEXT_WORD = 1;

/**
 * Finds tools by their names, or else by words of their names, descriptions and parameters.
 * @param tools - tools to search
 * @param query - names, or words
 * @param limit - maximum number of tools that are found by words
 * @returns tools, the best first; equal ones in the order of `tools`
 */
export function searchTools(
  tools: readonly ToolEntry[],
  query: string,
  limit: number,
): readonly ToolEntry[] {
  const named = new Set(query.split(/[\s,;"'`]+/));
  const exact = tools.filter(({ name }) => named.has(name));
  if (exact.length > 0) return exact;
  const words = [...new Set(wordsOf(query))];
  return tools
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

function scoreOf({ name, description, parameters }: ToolEntry, words: readonly string[]): number {
  const nameWords = new Set(wordsOf(name));
  const lowerName = name.toLowerCase();
  const names = Object.keys(Object(parameters.properties));
  const text = new Set(wordsOf([description, ...names].join(" ")));
  return words.reduce((sum, word) => {
    if (nameWords.has(word)) return sum + NAME_WORD;
    if (word.length >= SHORTEST_PART && lowerName.includes(word)) return sum + NAME_PART;
    return text.has(word) ? sum + TEXT_WORD : sum;
  }, 0);
}

/** Returns the words of a text in lower case; `createIssue` and `create_issue` have the same two. */
function wordsOf(text: string): readonly string[] {
  const separated = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  return separated.match(/[\p{L}\p{N}]+/gu) ?? [];
}
