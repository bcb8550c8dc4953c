import type { Item } from "./log/item.js";
import { text } from "./messages.js";
import { subjectOf } from "./parts/tool-words.js";

/**
 * Returns a conversation as Markdown, for a file.
 * @param items - entries, oldest first
 */
export function transcriptOf(items: readonly Item[], agent: string): string {
  return `${items.map((item) => entry(item, agent)).join("\n\n")}\n`;
}

/**
 * Returns the words of an entry, for a search.
 * @param item - entry
 */
export function wordsOf(item: Item): string {
  if (item.kind !== "reply") return item.text;
  return item.parts.value
    .map((part) =>
      part.kind === "tool"
        ? `${part.name} ${JSON.stringify(part.params)} ${part.state.value.output}`
        : part.markdown.value,
    )
    .join("\n");
}

function entry(item: Item, agent: string): string {
  if (item.kind === "note") return `> ${item.text}`;
  const time = item.at === undefined ? "" : `, ${new Date(item.at).toISOString()}`;
  if (item.kind === "message") return `## ${text.you}${time}\n\n${item.text}`;
  const parts = item.parts.value.map((part) => {
    if (part.kind === "tool") {
      const { output } = part.state.value;
      return fenced(`${part.name} ${subjectOf(part.params)}\n${output}`.trim());
    }
    const markdown = part.markdown.value;
    return part.kind === "text" ? markdown : `> ${markdown.replaceAll("\n", "\n> ")}`;
  });
  const problem = item.problem.value;
  return [
    `## ${agent}${time}`,
    ...parts,
    ...(problem === undefined ? [] : [`> ${problem.text}`]),
  ].join("\n\n");
}

/** A fence that the text does not contain. */
function fenced(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${content}\n${fence}`;
}
