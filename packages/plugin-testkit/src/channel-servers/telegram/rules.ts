/** Tags of Telegram's HTML. */
const TAGS: ReadonlySet<string> = new Set([
  ...["b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "a", "code", "pre"],
  ...["blockquote", "span", "tg-spoiler", "tg-emoji"],
]);

/** Maximum length of a text and of a caption after its formatting was read. */
export const TEXT_LIMIT = 4096;
export const CAPTION_LIMIT = 1024;

/** Error of the Bot API. */
export class TelegramRefusal extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, unknown>>;

  /**
   * @param status - HTTP status
   * @param description - description as the Bot API gives it
   * @param parameters - fields that tell how to handle the error
   */
  constructor(
    status: number,
    description: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

/**
 * Reads a text as the Bot API does.
 * @param text - text or caption of a request
 * @param form - `parse_mode` of the request
 * @param limit - maximum length without the formatting
 * @returns the text that people see
 * @throws TelegramRefusal
 */
export function readText(text: unknown, form: unknown, limit: number): string {
  if (typeof text !== "string" || text.trim() === "") {
    throw new TelegramRefusal(400, "Bad Request: message text is empty");
  }
  if (form !== undefined && form !== "HTML") {
    throw new TelegramRefusal(400, "Bad Request: unsupported parse_mode");
  }
  // Telegram removes the space at both ends, and looks for text only after it has read the formatting.
  const shown = (form === "HTML" ? readHtml(text) : text).trim();
  if (shown === "") throw new TelegramRefusal(400, "Bad Request: message text is empty");
  if (shown.length > limit) {
    const what = limit === CAPTION_LIMIT ? "message caption is too long" : "message is too long";
    throw new TelegramRefusal(400, `Bad Request: ${what}`);
  }
  return shown;
}

function readHtml(html: string): string {
  const open: string[] = [];
  let text = "";
  let end = 0;
  for (const match of html.matchAll(/<(\/?)([a-zA-Z-]*)([^<>]*)>?/g)) {
    const [whole, slash, name = ""] = match;
    text += html.slice(end, match.index);
    end = match.index + whole.length;
    const tag = name.toLowerCase();
    if (!whole.endsWith(">") || !TAGS.has(tag)) {
      throw unreadable(`unsupported start tag "${name}" at byte offset ${match.index}`);
    }
    if (slash === "") open.push(tag);
    else if (open.pop() !== tag) {
      throw unreadable(`unexpected end tag at byte offset ${match.index}`);
    }
  }
  if (open.length > 0)
    throw unreadable(`can't find end tag corresponding to start tag ${open.at(-1)}`);
  text += html.slice(end);
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

function unreadable(reason: string): TelegramRefusal {
  return new TelegramRefusal(400, `Bad Request: can't parse entities: ${reason}`);
}

/**
 * Checks the buttons of a message.
 * @param markup - `reply_markup` of the request
 * @returns rows of buttons with text and data
 * @throws TelegramRefusal
 */
export function readButtons(markup: unknown): readonly (readonly TelegramButton[])[] {
  const value = typeof markup === "string" ? JSON.parse(markup) : markup;
  if (value === undefined) return [];
  const rows: unknown = value?.inline_keyboard;
  if (!Array.isArray(rows))
    throw new TelegramRefusal(400, "Bad Request: object expected as reply markup");
  return rows.map((row: readonly { text?: unknown; callback_data?: unknown }[]) =>
    row.map(({ text, callback_data: data }) => {
      if (typeof text !== "string" || text === "") {
        throw new TelegramRefusal(400, "Bad Request: text buttons are not allowed to be empty");
      }
      if (typeof data !== "string" || data === "" || Buffer.byteLength(data) > 64) {
        throw new TelegramRefusal(400, "Bad Request: BUTTON_DATA_INVALID");
      }
      return { text, data };
    }),
  );
}

/** Button below a message. */
export interface TelegramButton {
  readonly text: string;
  readonly data: string;
}
