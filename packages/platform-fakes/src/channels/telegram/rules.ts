import { checkEntities, readHtml, readMarkdownV2 } from "./formatting.js";
import { badRequest, TelegramRefusal } from "./refusal.js";

// Limits of https://core.telegram.org/bots/api: "1-4096 characters after entities parsing" of sendMessage, "0-1024
// characters after entities parsing" of captions, "1-64 bytes" of callback_data, "0-200 characters" of
// answerCallbackQuery, and https://core.telegram.org/bots/api#sending-files for files.

/** Maximum length of a text after its formatting was read. */
export const TEXT_LIMIT = 4096;
/** Maximum length of a caption after its formatting was read. */
export const CAPTION_LIMIT = 1024;
/** Maximum number of buttons of a message; Telegram answers more of them with REPLY_MARKUP_TOO_LONG. */
const BUTTONS_LIMIT = 100;
const CALLBACK_BYTES = 64;
const PHOTO_BYTES = 10 * 1024 * 1024;
const UPLOAD_BYTES = 50 * 1024 * 1024;
/** Maximum length of the body of a request with a file, above which the server does not read it. */
export const REQUEST_BYTES = UPLOAD_BYTES + 64 * 1024;

/** Emoji that may be a reaction, of ReactionTypeEmoji in https://core.telegram.org/bots/api#reactiontypeemoji. */
const REACTIONS: ReadonlySet<string> = new Set(
  (
    "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 " +
    "🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"
  ).split(" "),
);

/** Values of `action` of sendChatAction. */
const ACTIONS: ReadonlySet<string> = new Set([
  ...["typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice"],
  ...["upload_document", "choose_sticker", "find_location", "record_video_note"],
  "upload_video_note",
]);

/** Text of a request with the way in which it is formatted. */
export interface FormattedText {
  readonly text: unknown;
  readonly form: unknown;
  readonly entities?: unknown;
}

/**
 * Reads a text as the Bot API does.
 * @param formatted - text or caption of a request, its `parse_mode` and its entities
 * @param limit - maximum length without the formatting
 * @returns the text that people see
 * @throws TelegramRefusal
 */
export function readText({ text, form, entities }: FormattedText, limit: number): string {
  if (text !== undefined && typeof text !== "string") {
    throw badRequest("strings must be encoded in UTF-8");
  }
  if (text === undefined || text.trim() === "") throw badRequest("message text is empty");
  // Telegram removes the space at both ends, and looks for text only after it has read the formatting.
  const shown = withoutFormatting(text, form).trim();
  if (shown === "") throw badRequest("message text is empty");
  if (shown.length > limit) {
    throw badRequest(
      limit === CAPTION_LIMIT ? "message caption is too long" : "message is too long",
    );
  }
  checkEntities(entities, text);
  return shown;
}

function withoutFormatting(text: string, form: unknown): string {
  switch (String(form ?? "").toLowerCase()) {
    case "":
      return text;
    case "html":
      return readHtml(text);
    case "markdownv2":
      return readMarkdownV2(text);
    default:
      throw badRequest("unsupported parse_mode");
  }
}

/** Button below a message. */
export interface TelegramButton {
  readonly text: string;
  /** Data that the bot receives when it is pressed; empty for a link. */
  readonly data: string;
}

/**
 * Checks the buttons of a message.
 * @param markup - `reply_markup` of the request
 * @returns rows of buttons with text and data
 * @throws TelegramRefusal
 */
export function readButtons(markup: unknown): readonly (readonly TelegramButton[])[] {
  if (markup === undefined) return [];
  const value = typeof markup === "string" ? parsed(markup) : markup;
  if (typeof value !== "object" || value === null) {
    throw badRequest("object expected as reply markup");
  }
  const rows: unknown = Reflect.get(value, "inline_keyboard");
  if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row))) {
    throw badRequest('can\'t parse inline keyboard: Field "inline_keyboard" must be of type Array');
  }
  if (rows.flat().length > BUTTONS_LIMIT) throw badRequest("reply markup is too long");
  return rows.map((row: readonly unknown[]) => row.map(readButton));
}

function readButton(value: unknown): TelegramButton {
  const { text, callback_data: data, url } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof text !== "string") {
    throw badRequest("can't parse inline keyboard button: Can't find field \"text\"");
  }
  if (text.trim() === "") throw badRequest("inline keyboard button text must be non-empty");
  if (url !== undefined) {
    if (typeof url === "string" && /^(?:https?|tg):\/\/\S+$/.test(url)) return { text, data: "" };
    throw badRequest(
      `inline keyboard button URL '${String(url)}' is invalid: Wrong HTTP URL specified`,
    );
  }
  if (data === undefined) {
    throw badRequest("text buttons are unallowed in the inline keyboard");
  }
  const isValid = typeof data === "string" && data !== "";
  if (!isValid || Buffer.byteLength(data) > CALLBACK_BYTES) throw badRequest("BUTTON_DATA_INVALID");
  return { text, data };
}

/**
 * Checks the size of an uploaded file.
 * @param kind - kind of the file, for example `photo`
 * @param bytes - its size
 * @throws TelegramRefusal
 */
export function checkUpload(kind: string, bytes: number): void {
  if (bytes === 0) throw badRequest("file must be non-empty");
  if (bytes > UPLOAD_BYTES) throw new TelegramRefusal(413, "Request Entity Too Large");
  if (kind === "photo" && bytes > PHOTO_BYTES) {
    throw badRequest(
      `file of size ${bytes} bytes is too big for a photo; the maximum size is ${PHOTO_BYTES} bytes`,
    );
  }
}

/**
 * Returns the emoji of a reaction; undefined for a request that removes it.
 * @param reactions - `reaction` of the request
 * @throws TelegramRefusal
 */
export function readReaction(reactions: unknown): string | undefined {
  const list = reactions ?? [];
  if (!Array.isArray(list)) throw badRequest("can't parse reaction types JSON array");
  // A bot without Telegram Premium sets one reaction for each message.
  if (list.length > 1) throw badRequest("REACTIONS_TOO_MANY");
  if (list.length === 0) return undefined;
  const { type, emoji } = Object(list[0]) as Readonly<Record<string, unknown>>;
  if (type !== "emoji" || typeof emoji !== "string" || !REACTIONS.has(emoji)) {
    throw badRequest("REACTION_INVALID");
  }
  return emoji;
}

/**
 * Checks what a bot says that it does.
 * @param action - `action` of the request
 * @throws TelegramRefusal
 */
export function checkAction(action: unknown): string {
  if (typeof action === "string" && ACTIONS.has(action)) return action;
  throw badRequest("wrong parameter action in request");
}

/**
 * Returns the value of JSON in a field.
 * @param text - the JSON
 * @throws TelegramRefusal
 */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("can't parse JSON object");
  }
}
