import { badRequest, type TelegramRefusal } from "./refusal.js";

/** Tags of Telegram's HTML, see https://core.telegram.org/bots/api#html-style. */
const TAGS: ReadonlySet<string> = new Set([
  ...["b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "a", "code", "pre"],
  ...["blockquote", "span", "tg-spoiler", "tg-emoji"],
]);
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
/** Characters that MarkdownV2 reserves, see https://core.telegram.org/bots/api#markdownv2-style. */
const RESERVED = new Set("_*[]()~`>#+-=|{}.!");
/** Marks that open and close formatting in MarkdownV2; the longer ones come first. */
const MARKS = ["__", "||", "```", "_", "*", "~", "`"] as const;

/**
 * Returns the text that people see of a text in Telegram's HTML.
 * @param html - text with `parse_mode: "HTML"`
 * @throws TelegramRefusal
 */
export function readHtml(html: string): string {
  const open: string[] = [];
  let text = "";
  let end = 0;
  for (const match of html.matchAll(/<(\/?)([a-zA-Z-]*)([^<>]*)>?/g)) {
    const [whole, slash, name = "", rest = ""] = match;
    text += html.slice(end, match.index);
    end = match.index + whole.length;
    const at = `at byte offset ${Buffer.byteLength(html.slice(0, match.index))}`;
    const tag = name.toLowerCase();
    if (!whole.endsWith(">")) throw unreadable(`Unclosed start tag ${at}`);
    if (slash === "/") {
      const started = open.pop();
      if (started === undefined) throw unreadable(`Unexpected end tag ${at}`);
      if (started !== tag) {
        throw unreadable(`Unmatched end tag ${at}, expected "</${started}>", found "</${tag}>"`);
      }
      continue;
    }
    if (!TAGS.has(tag)) throw unreadable(`Unsupported start tag "${name}" ${at}`);
    if (tag === "span" && !/class="tg-spoiler"/.test(rest)) {
      throw unreadable(`Tag "span" must have class "tg-spoiler" ${at}`);
    }
    open.push(tag);
  }
  if (open.length > 0) {
    throw unreadable(`Can't find end tag corresponding to start tag "${open.at(-1)}"`);
  }
  text += html.slice(end);
  return text.replace(/&(lt|gt|amp|quot);/g, (_whole, name: string) => ENTITIES[name] ?? "");
}

/**
 * Returns the text that people see of a text in MarkdownV2.
 * @param markdown - text with `parse_mode: "MarkdownV2"`
 * @throws TelegramRefusal
 */
export function readMarkdownV2(markdown: string): string {
  const open: { readonly mark: string; readonly at: number }[] = [];
  let text = "";
  let at = 0;
  while (at < markdown.length) {
    const rest = markdown.slice(at);
    const last = open.at(-1)?.mark;
    const isCode = last === "`" || last === "```";
    const escaped = /^\\([ -~])/.exec(rest)?.[1];
    const link = isCode ? undefined : /^\[((?:\\.|[^\]\\])*)\]\(((?:\\.|[^)\\])+)\)/.exec(rest);
    const mark = isCode && !rest.startsWith(last) ? undefined : markOf(rest, last);
    if (escaped !== undefined) {
      text += escaped;
      at += 2;
    } else if (link) {
      text += readMarkdownV2(link[1] ?? "");
      at += link[0].length;
    } else if (mark !== undefined) {
      if (last === mark) open.pop();
      else open.push({ mark, at });
      at += mark.length;
    } else if (!isCode && isQuoteMark(markdown, at)) {
      at += 1;
    } else if (!isCode && RESERVED.has(markdown.charAt(at))) {
      const character = markdown.charAt(at);
      throw unreadable(
        `Character '${character}' is reserved and must be escaped with the preceding '\\'`,
      );
    } else {
      text += markdown.charAt(at);
      at += 1;
    }
  }
  const [left] = open;
  if (left !== undefined) {
    const offset = Buffer.byteLength(markdown.slice(0, left.at));
    throw unreadable(`Can't find end of the entity starting at byte offset ${offset}`);
  }
  return text;
}

/**
 * Checks the formatting that a request gives as a list.
 * @param entities - `entities` of the request
 * @throws TelegramRefusal
 */
export function checkEntities(entities: unknown, text: string): void {
  if (entities === undefined) return;
  if (!Array.isArray(entities)) throw badRequest("can't parse entities: expected an Array");
  for (const entity of entities) {
    const { type, offset, length } = Object(entity) as Readonly<Record<string, unknown>>;
    if (typeof type !== "string") throw badRequest("can't parse MessageEntity: no type");
    if (!isPosition(offset)) throw badRequest(`receive an entity with incorrect offset ${offset}`);
    if (!isPosition(length)) throw badRequest(`receive an entity with incorrect length ${length}`);
    if (offset + length > text.length) {
      const place = `beginning at UTF-16 offset ${offset}`;
      throw badRequest(
        `entity ${place} ends after the end of the text at UTF-16 offset ${text.length}`,
      );
    }
  }
}

function markOf(rest: string, last: string | undefined): string | undefined {
  // `**` closes nothing: MarkdownV2 has no mark of two asterisks.
  if (last !== undefined && rest.startsWith(last)) return last;
  return MARKS.find((mark) => rest.startsWith(mark));
}

function isQuoteMark(markdown: string, at: number): boolean {
  return markdown.charAt(at) === ">" && (at === 0 || markdown.charAt(at - 1) === "\n");
}

function isPosition(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function unreadable(reason: string): TelegramRefusal {
  return badRequest(`can't parse entities: ${reason}`);
}
