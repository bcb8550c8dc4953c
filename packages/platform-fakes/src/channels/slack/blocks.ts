import { type Fields, fieldsOf } from "../../models/rejection.js";

// Limits of https://docs.slack.dev/reference/block-kit/blocks and /block-elements/button-element.
const BLOCKS = 50;
const MARKDOWN = 12_000;
const SECTION_FIELDS = 10;
const ACTIONS = 25;
const CONTEXT_ELEMENTS = 10;
const URL_LIMIT = 3000;
const STYLES = new Set(["primary", "danger"]);
const KINDS = new Set(["section", "actions", "context", "divider", "header", "image", "markdown"]);
/**
 * Characters of all text of the blocks of a message. Slack documents the error `msg_blocks_too_long` without a number;
 * https://github.com/slackapi/bolt-js/issues/2509 found 13,172 to 13,297.
 */
const ALL_TEXTS = 13_200;

/** A problem of a block, with the place at which it is. */
class BlockProblem extends Error {
  constructor(problem: string, pointer: string) {
    super(`${problem} [json-pointer:${pointer}]`);
  }
}

/**
 * Returns the reason why Slack rejects a list of blocks; undefined for a valid one.
 * @param blocks - `blocks` of a message
 */
export function blocksProblem(blocks: unknown): string | undefined {
  try {
    check(blocks);
    return undefined;
  } catch (error) {
    if (error instanceof BlockProblem) return error.message;
    throw error;
  }
}

/**
 * Returns true for blocks that are valid and have more text than a message may have.
 * @param blocks - `blocks` of a message
 */
export function isTooLong(blocks: readonly unknown[]): boolean {
  return blocks.reduce<number>((sum, block) => sum + lengthOf(block), 0) > ALL_TEXTS;
}

/**
 * Returns the buttons of a block.
 * @param block - block of a message
 */
export function buttonsOf(block: unknown): readonly Fields[] {
  const { type, elements } = fieldsOf(block) ?? {};
  if (type !== "actions" || !Array.isArray(elements)) return [];
  return elements.map((element) => fieldsOf(element) ?? {});
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + lengthOf(each), 0);
  const fields = fieldsOf(value);
  if (fields === undefined) return 0;
  const { text, ...others } = fields;
  const own = typeof text === "string" ? text.length : lengthOf(text);
  return own + lengthOf(Object.values(others));
}

function check(blocks: unknown): void {
  if (!Array.isArray(blocks)) throw new BlockProblem("must provide an array", "/blocks");
  if (blocks.length > BLOCKS) {
    throw new BlockProblem(`no more than ${BLOCKS} items allowed`, "/blocks");
  }
  const ids = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const at = `/blocks/${index}`;
    const fields = fieldsOf(block);
    if (fields === undefined) throw new BlockProblem("must provide an object", at);
    checkBlock(fields, at);
    const { block_id: id } = fields;
    if (id === undefined) continue;
    checkLength(id, 255, `${at}/block_id`);
    if (ids.has(String(id))) throw new BlockProblem("block_id already exists", `${at}/block_id`);
    ids.add(String(id));
  }
}

function checkBlock(block: Fields, at: string): void {
  const { type, text } = block;
  if (typeof type !== "string" || !KINDS.has(type)) {
    throw new BlockProblem(`unsupported type: ${String(type)}`, `${at}/type`);
  }
  switch (type) {
    case "section":
      checkSection(block, at);
      break;
    case "markdown":
      checkLength(text, MARKDOWN, `${at}/text`);
      break;
    case "header":
      checkText(text, 150, ["plain_text"], `${at}/text`);
      break;
    case "image":
      checkImage(block, at);
      break;
    case "context":
      checkContext(block, at);
      break;
    case "actions":
      checkActions(block, at);
      break;
  }
}

function checkSection({ text, fields }: Fields, at: string): void {
  if (text === undefined && fields === undefined) {
    throw new BlockProblem("missing required field: text", at);
  }
  if (text !== undefined) checkText(text, 3000, ["mrkdwn", "plain_text"], `${at}/text`);
  if (fields === undefined) return;
  const listed = listOf(fields, SECTION_FIELDS, `${at}/fields`);
  for (const [index, field] of listed.entries()) {
    checkText(field, 2000, ["mrkdwn", "plain_text"], `${at}/fields/${index}`);
  }
}

function checkImage({ image_url: url, alt_text: alt, slack_file: file }: Fields, at: string): void {
  if (url === undefined && file === undefined) {
    throw new BlockProblem("missing required field: image_url", at);
  }
  if (url !== undefined) checkLength(url, URL_LIMIT, `${at}/image_url`);
  if (alt === undefined) throw new BlockProblem("missing required field: alt_text", at);
  checkLength(alt, 2000, `${at}/alt_text`);
}

function checkContext({ elements }: Fields, at: string): void {
  const listed = listOf(elements, CONTEXT_ELEMENTS, `${at}/elements`);
  for (const [index, element] of listed.entries()) {
    const fields = fieldsOf(element) ?? {};
    const place = `${at}/elements/${index}`;
    if (fields.type === "image") checkImage(fields, place);
    else checkText(fields, 3000, ["mrkdwn", "plain_text"], place);
  }
}

function checkActions(block: Fields, at: string): void {
  const listed = listOf(block.elements, ACTIONS, `${at}/elements`);
  for (const [index, element] of listed.entries()) {
    checkButton(fieldsOf(element) ?? {}, `${at}/elements/${index}`);
  }
  const ids = buttonsOf(block).map(({ action_id: id }) => id);
  if (new Set(ids).size < ids.length) {
    throw new BlockProblem("action_id must be unique in its block", `${at}/elements`);
  }
}

function checkButton({ type, text, action_id, value, url, style }: Fields, at: string): void {
  if (type !== "button") return;
  checkLength(action_id, 255, `${at}/action_id`);
  checkText(text, 75, ["plain_text"], `${at}/text`);
  if (value !== undefined) checkLength(value, 2000, `${at}/value`);
  if (url !== undefined) checkLength(url, URL_LIMIT, `${at}/url`);
  if (style !== undefined && !STYLES.has(String(style))) {
    throw new BlockProblem(`invalid value: ${String(style)}`, `${at}/style`);
  }
}

function listOf(value: unknown, maximum: number, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BlockProblem("must provide an array", at);
  if (value.length === 0) throw new BlockProblem("no fewer than 1 items allowed", at);
  if (value.length > maximum) throw new BlockProblem(`no more than ${maximum} items allowed`, at);
  return value;
}

function checkText(value: unknown, maximum: number, types: readonly string[], at: string): void {
  const fields = fieldsOf(value);
  if (fields === undefined) throw new BlockProblem("must provide an object", at);
  const { type, text } = fields;
  if (typeof type !== "string" || !types.includes(type)) {
    throw new BlockProblem(`unsupported type: ${String(type)}`, `${at}/type`);
  }
  checkLength(text, maximum, `${at}/text`);
}

function checkLength(value: unknown, maximum: number, at: string): void {
  if (typeof value !== "string") throw new BlockProblem("must provide a string", at);
  if (value === "") throw new BlockProblem("must be more than 0 characters", at);
  if (value.length > maximum) {
    throw new BlockProblem(`must be less than ${maximum + 1} characters`, at);
  }
}
