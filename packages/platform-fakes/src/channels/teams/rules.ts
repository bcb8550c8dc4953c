import { type Fields, fieldsOf } from "../../models/rejection.js";

/** Rejection of a request, as the connector reports it. */
export class ConnectorError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }

  /** Body of the response. */
  get body(): object {
    return { error: { code: this.code, message: this.message } };
  }
}

/** A button of an adaptive card. */
export interface TeamsButton {
  readonly title: string;
  /** Data that Teams sends back when it is pressed. */
  readonly data: Fields;
}

/** A file of a message. */
export interface TeamsImage {
  readonly mimeType: string;
  readonly name?: string | undefined;
  readonly content: Uint8Array;
}

/** Content of a message of the bot. */
export interface TeamsContent {
  /** Text of the message, or of its card. */
  readonly text: string;
  readonly buttons: readonly TeamsButton[];
  readonly images: readonly TeamsImage[];
}

const CARD = "application/vnd.microsoft.card.adaptive";
// "Size of a chat message: approximately 28 KB" of https://learn.microsoft.com/microsoftteams/limits-specifications-teams
/** Largest message in bytes, with its card and its attachments that are not images. */
const MOST_BYTES = 28 * 1024;
// "Pictures can be up to 1024 × 1024 pixels and 1 MB in PNG, JPEG, or GIF format" of
// https://learn.microsoft.com/microsoftteams/platform/bots/build-conversational-capability
const IMAGE_BYTES = 1024 * 1024;
const IMAGES = new Set(["image/png", "image/jpeg", "image/jpg", "image/gif"]);
const FORMATS = new Set(["plain", "markdown", "xml"]);
/** Maximum number of attachments of a carousel, which is the largest layout. */
const MOST_ATTACHMENTS = 10;
/** Maximum number of primary actions of an adaptive card in Teams. */
const MOST_ACTIONS = 6;
const VERSION = /^1\.[0-5]$/;

/**
 * Reads a message of the bot, and rejects what Teams rejects.
 * @param activity - body of the request
 * @throws ConnectorError that names the problem
 */
export function readContent(activity: Fields): TeamsContent {
  const { text = "", attachments = [], textFormat = "markdown" } = activity;
  if (typeof text !== "string") throw invalid("text must be a string");
  if (!FORMATS.has(String(textFormat))) throw invalid("textFormat is not plain, markdown or xml");
  if (!Array.isArray(attachments)) throw invalid("attachments must be a list");
  if (attachments.length > MOST_ATTACHMENTS) {
    throw invalid(`more than ${MOST_ATTACHMENTS} attachments`);
  }
  const parts = attachments.map((each) => readAttachment(fieldsOf(each) ?? {}));
  const cards = parts.flatMap((part) => ("buttons" in part ? [part] : []));
  const images = parts.flatMap((part) => ("content" in part ? [part] : []));
  const shown = [text, ...cards.map((card) => card.text)].filter((line) => line.trim() !== "");
  const buttons = cards.flatMap((card) => card.buttons);
  if (shown.length === 0 && buttons.length + images.length === 0)
    throw invalid("Activity resulted into no message");
  const size = Buffer.byteLength(text, "utf16le") + Buffer.byteLength(JSON.stringify(cards));
  if (size > MOST_BYTES) {
    throw tooLarge();
  }
  return { text: shown.join("\n"), buttons, images };
}

function readAttachment(attachment: Fields): Pick<TeamsContent, "text" | "buttons"> | TeamsImage {
  const { contentType, contentUrl, content, name } = attachment;
  if (contentType === CARD) return readCard(fieldsOf(content) ?? {});
  const [, mimeType, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(String(contentUrl)) ?? [];
  if (mimeType === undefined || contentType !== mimeType) {
    throw invalid(`Unknown attachment type ${String(contentType)}`);
  }
  if (!IMAGES.has(mimeType)) throw invalid(`Unknown attachment type ${mimeType}`);
  const bytes = Buffer.from(data ?? "", "base64");
  if (bytes.length > IMAGE_BYTES) throw tooLarge();
  return { mimeType, name: typeof name === "string" ? name : undefined, content: bytes };
}

function readCard({
  type,
  version,
  body,
  actions = [],
}: Fields): Pick<TeamsContent, "text" | "buttons"> {
  if (type !== "AdaptiveCard" || !VERSION.test(String(version))) {
    throw invalid("the card has no type AdaptiveCard or no supported version");
  }
  if (!Array.isArray(body) || !Array.isArray(actions)) throw invalid("the card has no body");
  const found: { readonly texts: string[]; readonly actions: unknown[] } = {
    texts: [],
    actions: [...actions],
  };
  for (const element of body) collect(fieldsOf(element) ?? {}, found);
  if (found.actions.length > MOST_ACTIONS) throw invalid(`more than ${MOST_ACTIONS} actions`);
  return { text: found.texts.join("\n"), buttons: found.actions.map(readAction) };
}

function collect(
  { type, text, items, actions }: Fields,
  found: { readonly texts: string[]; readonly actions: unknown[] },
): void {
  if (typeof type !== "string") throw invalid("an element of the card has no type");
  if (type === "TextBlock") {
    if (typeof text !== "string") throw invalid("a TextBlock has no text");
    found.texts.push(text);
  }
  if (type === "ActionSet" && Array.isArray(actions)) found.actions.push(...actions);
  if (Array.isArray(items)) for (const item of items) collect(fieldsOf(item) ?? {}, found);
}

function readAction(action: unknown): TeamsButton {
  const { type, title, data, url } = fieldsOf(action) ?? {};
  const isLink = type === "Action.OpenUrl" && typeof url === "string" && /^https?:/.test(url);
  if (isLink && typeof title === "string" && title !== "") return { title, data: {} };
  if (type !== "Action.Submit" || typeof title !== "string" || title === "") {
    throw invalid("an action of the card is not an Action.Submit with a title");
  }
  return { title, data: fieldsOf(data) ?? {} };
}

function tooLarge(): ConnectorError {
  return new ConnectorError("MessageSizeTooBig", "Message size too large.", 413);
}

function invalid(message: string): ConnectorError {
  return new ConnectorError("BadSyntax", message);
}
