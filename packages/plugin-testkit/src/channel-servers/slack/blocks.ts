import { fieldsOf } from "../../model-servers/rejection.js";

const MAXIMUM_BLOCKS = 50;
const MAXIMUM_MARKDOWN = 12_000;
const KINDS = new Set(["section", "actions", "context", "divider", "header", "image", "markdown"]);

/**
 * Returns the reason why Slack rejects a list of blocks; undefined for a valid one.
 * @param blocks - `blocks` of a message
 */
export function blocksProblem(blocks: unknown): string | undefined {
  if (!Array.isArray(blocks)) return "must be an array";
  if (blocks.length > MAXIMUM_BLOCKS) return `no more than ${MAXIMUM_BLOCKS} items allowed`;
  for (const [index, block] of blocks.entries()) {
    const problem = blockProblem(fieldsOf(block) ?? {});
    if (problem !== undefined) return `/blocks/${index}: ${problem}`;
  }
  const ids = blocks.flatMap((block) => buttonsOf(block).map(({ action_id }) => action_id));
  return new Set(ids).size === ids.length ? undefined : "action_id must be unique in a message";
}

/**
 * Returns the buttons of a block.
 * @param block - block of a message
 */
export function buttonsOf(block: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { type, elements } = fieldsOf(block) ?? {};
  if (type !== "actions" || !Array.isArray(elements)) return [];
  return elements.map((element) => fieldsOf(element) ?? {});
}

function blockProblem(block: Readonly<Record<string, unknown>>): string | undefined {
  const { type, text } = block;
  if (typeof type !== "string" || !KINDS.has(type)) return `unsupported type: ${String(type)}`;
  if (type === "section") return textProblem(text, 3000, ["mrkdwn", "plain_text"]);
  if (type === "markdown") return markdownProblem(text);
  if (type === "header") return textProblem(text, 150, ["plain_text"]);
  if (type !== "actions") return undefined;
  const buttons = buttonsOf(block);
  if (buttons.length === 0 || buttons.length > 25) return "actions must have 1 to 25 elements";
  for (const button of buttons) {
    const problem = buttonProblem(button);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function buttonProblem({ type, text, action_id, value }: Readonly<Record<string, unknown>>) {
  if (type !== "button") return undefined;
  if (typeof action_id !== "string" || action_id === "" || action_id.length > 255) {
    return "action_id must have 1 to 255 characters";
  }
  if (value !== undefined && (typeof value !== "string" || value.length > 2000)) {
    return "value must have at most 2000 characters";
  }
  return textProblem(text, 75, ["plain_text"]);
}

function markdownProblem(text: unknown): string | undefined {
  if (typeof text !== "string" || text === "") return "text must have more than 0 characters";
  return text.length > MAXIMUM_MARKDOWN
    ? `text must have at most ${MAXIMUM_MARKDOWN} characters`
    : undefined;
}

function textProblem(
  value: unknown,
  maximum: number,
  types: readonly string[],
): string | undefined {
  const { type, text } = fieldsOf(value) ?? {};
  if (typeof type !== "string" || !types.includes(type))
    return `text must be ${types.join(" or ")}`;
  if (typeof text !== "string" || text === "") return "text must have more than 0 characters";
  return text.length > maximum ? `text must have at most ${maximum} characters` : undefined;
}
