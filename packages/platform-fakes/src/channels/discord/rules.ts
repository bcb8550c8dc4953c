import { type Fields, fieldsOf } from "../../models/rejection.js";
import type { DiscordButton, DiscordMessage } from "./guild.js";
import { badLength, DiscordRefusal, invalidField, missingField, tooLong } from "./refusal.js";

// Limits of https://docs.discord.com/developers/resources/message (message, embed limits) and of
// https://docs.discord.com/developers/components/reference (action rows and buttons).
const CONTENT_LIMIT = 2000;
const EMBEDS = 10;
const EMBEDS_LIMIT = 6000;
const EMBED_LIMITS = { title: 256, description: 4096, footer: 2048, author: 256 } as const;
const EMBED_FIELDS = 25;
const FIELD_LIMITS = { name: 256, value: 1024 } as const;
const ROWS = 5;
const ROW_BUTTONS = 5;
const LABEL_LIMIT = 80;
const CUSTOM_ID_LIMIT = 100;
const NONCE_LIMIT = 25;
const MENTIONS = new Set(["roles", "users", "everyone"]);
const LINK = 5;

type Path = readonly (string | number)[];

/**
 * Reads the content of a message, and rejects what Discord rejects.
 * @param body - body of a request that creates or changes a message
 * @param hasFiles - true when the request has files
 * @throws DiscordRefusal
 */
export function readMessage(
  body: Fields,
  hasFiles: boolean,
): Pick<DiscordMessage, "content" | "embeds" | "buttons"> {
  const { embeds, components, nonce } = body;
  const content = textOf(body.content ?? "", ["content"], CONTENT_LIMIT);
  if (typeof nonce === "string" && nonce.length > NONCE_LIMIT)
    throw tooLong(["nonce"], NONCE_LIMIT);
  checkMentions(body.allowed_mentions);
  const shown = listOf(embeds ?? [], ["embeds"], EMBEDS).map(readEmbed);
  if (shown.flat().join("").length > EMBEDS_LIMIT) {
    const problem = `Embed size exceeds maximum size of ${EMBEDS_LIMIT}`;
    throw invalidField(["embeds"], "MAX_EMBED_SIZE_EXCEEDED", problem);
  }
  const rows = listOf(components ?? [], ["components"], ROWS).map(readRow);
  const ids = rows.flat().flatMap(({ customId }) => (customId === "" ? [] : [customId]));
  if (new Set(ids).size < ids.length) {
    const problem = "Component custom id cannot be duplicated";
    throw invalidField(["components"], "COMPONENT_CUSTOM_ID_DUPLICATED", problem);
  }
  // Discord removes the space at both ends of a text.
  const isEmpty = content.trim() === "" && shown.length + rows.length === 0;
  if (isEmpty && !hasFiles) throw new DiscordRefusal(400, 50006, "Cannot send an empty message");
  return { content, embeds: shown.map((lines) => lines.join("\n")), buttons: rows.flat() };
}

/** Returns the strings of an embed. */
function readEmbed(value: unknown, index: number): readonly string[] {
  const path: Path = ["embeds", index];
  const embed = fieldsOf(value) ?? {};
  const texts = (["title", "description"] as const).map((key) =>
    textOf(embed[key] ?? "", [...path, key], EMBED_LIMITS[key]),
  );
  const footer = fieldsOf(embed.footer)?.text ?? "";
  const author = fieldsOf(embed.author)?.name ?? "";
  texts.push(textOf(footer, [...path, "footer", "text"], EMBED_LIMITS.footer));
  texts.push(textOf(author, [...path, "author", "name"], EMBED_LIMITS.author));
  const fields = listOf(embed.fields ?? [], [...path, "fields"], EMBED_FIELDS);
  for (const [place, field] of fields.entries()) {
    for (const key of ["name", "value"] as const) {
      const at: Path = [...path, "fields", place, key];
      const text = fieldsOf(field)?.[key];
      if (text === undefined || text === "") throw missingField(at);
      texts.push(textOf(text, at, FIELD_LIMITS[key]));
    }
  }
  const shown = texts.filter((text) => text.trim() !== "");
  const hasImage = fieldsOf(embed.image) ?? fieldsOf(embed.thumbnail);
  if (shown.length === 0 && hasImage === undefined) throw missingField([...path, "description"]);
  return shown;
}

function readRow(value: unknown, index: number): readonly DiscordButton[] {
  const path: Path = ["components", index];
  const { type, components } = fieldsOf(value) ?? {};
  if (type !== 1) {
    const problem = 'Value of field "type" must be one of (1,).';
    throw invalidField([...path, "type"], "UNION_TYPE_CHOICES", problem);
  }
  const at: Path = [...path, "components"];
  if (!Array.isArray(components) || components.length < 1 || components.length > ROW_BUTTONS) {
    throw badLength(at, ROW_BUTTONS);
  }
  const buttons: readonly unknown[] = components;
  return buttons.map((button, place) => readButton(button, [...at, place]));
}

function readButton(value: unknown, path: Path): DiscordButton {
  const { type, style, label = "", emoji, url, custom_id: customId } = fieldsOf(value) ?? {};
  if (type !== 2 || ![1, 2, 3, 4, LINK].includes(Number(style))) {
    const problem = "Value must be one of {1, 2, 3, 4, 5, 6}.";
    throw invalidField([...path, "style"], "BASE_TYPE_CHOICES", problem);
  }
  const text = textOf(label, [...path, "label"], LABEL_LIMIT);
  if (text === "" && emoji === undefined) {
    const problem = "A button must have at least a label or an emoji";
    throw invalidField(path, "BUTTON_COMPONENT_INVALID", problem);
  }
  if (style === LINK) {
    if (typeof url !== "string") throw missingField([...path, "url"]);
    if (!/^(?:https?|discord):\/\/\S+$/.test(url)) {
      throw invalidField([...path, "url"], "URL_TYPE_INVALID_URL", "Not a well formed URL.");
    }
    return { label: text, customId: "" };
  }
  if (customId === undefined) throw missingField([...path, "custom_id"]);
  if (typeof customId !== "string" || customId === "" || customId.length > CUSTOM_ID_LIMIT) {
    throw badLength([...path, "custom_id"], CUSTOM_ID_LIMIT);
  }
  return { label: text, customId };
}

function checkMentions(value: unknown): void {
  const kinds = fieldsOf(value)?.parse ?? [];
  const listed = listOf(kinds, ["allowed_mentions", "parse"], MENTIONS.size);
  const wrong = listed.findIndex((kind) => !MENTIONS.has(String(kind)));
  if (wrong < 0) return;
  const problem = "Value must be one of ('roles', 'users', 'everyone').";
  throw invalidField(["allowed_mentions", "parse", wrong], "BASE_TYPE_CHOICES", problem);
}

function textOf(value: unknown, path: Path, maximum: number): string {
  if (typeof value !== "string") {
    throw invalidField(path, "BASE_TYPE_STRING", "Could not interpret value as string.");
  }
  if (value.length > maximum) throw tooLong(path, maximum);
  return value;
}

function listOf(value: unknown, path: Path, maximum: number): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw invalidField(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
  }
  if (value.length > maximum) throw tooLong(path, maximum);
  return value;
}
