import { type Fields, fieldsOf } from "../../models/rejection.js";
import { GraphError, invalidValue, missing, tooLong } from "./refusal.js";

/** A button of a message. */
export interface WhatsAppButton {
  readonly id: string;
  readonly title: string;
}

/** Content of a message of the business. */
export interface WhatsAppContent {
  readonly type: string;
  readonly text: string;
  readonly buttons: readonly WhatsAppButton[];
  /** ID of the uploaded file. */
  readonly mediaId?: string | undefined;
  readonly fileName?: string | undefined;
}

// Limits of https://developers.facebook.com/documentation/business-messaging/whatsapp/messages (text, media, interactive
// reply buttons and interactive lists).
const TEXT_LIMIT = 4096;
const CAPTION_LIMIT = 1024;
const BODY_LIMIT = 1024;
const LINE_LIMIT = 60;
const BUTTONS = 3;
const BUTTON_TITLE = 20;
const BUTTON_ID = 256;
const ROWS = 10;
const ROW_LIMITS = { id: 200, title: 24 } as const;
const DESCRIPTION_LIMIT = 72;
const MEDIA = new Set(["image", "video", "audio", "document", "sticker"]);

/**
 * Reads a message of the business, and rejects what WhatsApp rejects.
 * @param body - body of `POST /<phone number ID>/messages`
 * @throws GraphError that names the parameter
 */
export function readContent(body: Fields): WhatsAppContent {
  const { type = "text" } = body;
  if (type === "text") {
    const text = textOf(fieldsOf(body.text)?.body, "text['body']", TEXT_LIMIT);
    return { type, text, buttons: [] };
  }
  if (type === "interactive") return { type, ...readInteractive(fieldsOf(body.interactive) ?? {}) };
  if (typeof type === "string" && MEDIA.has(type)) return readMedia(type, body);
  const details = `Message type '${String(type)}' is not currently supported.`;
  throw new GraphError("(#131051) Unsupported message type", { code: 131051, details });
}

/**
 * Checks the reaction of the business.
 * @param reaction - `reaction` of the request
 * @param isKnown - returns true for a message of the conversation
 * @throws GraphError
 */
export function readReaction(reaction: Fields, isKnown: (id: string) => boolean) {
  const { message_id: messageId, emoji } = reaction;
  if (messageId === undefined) throw missing("reaction['message_id']");
  if (typeof messageId !== "string" || !isKnown(messageId)) {
    throw invalidValue("Message ID is not valid.");
  }
  if (emoji === undefined) throw missing("reaction['emoji']");
  // An empty string removes the reaction.
  if (typeof emoji !== "string" || (emoji !== "" && !/^\p{Extended_Pictographic}/u.test(emoji))) {
    throw invalidValue("Reaction emoji is not valid.");
  }
  return { messageId, emoji };
}

function readMedia(type: string, body: Fields): WhatsAppContent {
  const { id, link, caption = "", filename } = fieldsOf(body[type]) ?? {};
  if (id === undefined && link === undefined) throw missing(`${type}['id']`);
  if (typeof id !== "string") throw invalidValue(`${type}['id'] must be an uploaded file.`);
  if (caption !== "" && (type === "audio" || type === "sticker")) {
    throw new GraphError(`(#100) Unexpected key "caption" on param "${type}".`);
  }
  if (caption !== "") textOf(caption, `${type}['caption']`, CAPTION_LIMIT);
  return {
    type,
    text: String(caption),
    buttons: [],
    mediaId: id,
    fileName: typeof filename === "string" ? filename : undefined,
  };
}

function readInteractive(interactive: Fields): Pick<WhatsAppContent, "text" | "buttons"> {
  const { type, body, header, footer } = interactive;
  if (type !== "button" && type !== "list") {
    throw invalidValue(`Interactive type '${String(type)}' is not valid.`);
  }
  const text = lengthOf(fieldsOf(body)?.text, "Body text", BODY_LIMIT, "interactive['body']");
  for (const [name, part] of [["Header text", header] as const, ["Footer text", footer] as const]) {
    if (part !== undefined) lengthOf(fieldsOf(part)?.text, name, LINE_LIMIT, name);
  }
  const action = fieldsOf(interactive.action) ?? {};
  return { text, buttons: type === "button" ? readButtons(action) : readRows(action) };
}

function readButtons({ buttons: listed }: Fields): readonly WhatsAppButton[] {
  if (!Array.isArray(listed) || listed.length < 1 || listed.length > BUTTONS) {
    throw invalidValue(
      `Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: ${BUTTONS}`,
    );
  }
  const buttons = listed.map((item) => {
    const { id, title } = fieldsOf(fieldsOf(item)?.reply) ?? {};
    return {
      id: lengthOf(id, "Button id", BUTTON_ID, "reply['id']"),
      title: lengthOf(title, "Button title", BUTTON_TITLE, "reply['title']"),
    };
  });
  for (const key of ["id", "title"] as const) {
    if (new Set(buttons.map((button) => button[key])).size < buttons.length) {
      throw invalidValue(`Duplicate button ${key}`);
    }
  }
  return buttons;
}

function readRows({ button, sections }: Fields): readonly WhatsAppButton[] {
  lengthOf(button, "List button title", BUTTON_TITLE, "action['button']");
  const rows = (Array.isArray(sections) ? sections : []).flatMap((section) => {
    const listed: unknown = fieldsOf(section)?.rows;
    return Array.isArray(listed) ? listed.map((row) => fieldsOf(row) ?? {}) : [];
  });
  if (rows.length < 1 || rows.length > ROWS) {
    throw invalidValue(`Invalid list row count. Min allowed: 1, Max allowed: ${ROWS}`);
  }
  const found = rows.map(({ id, title, description }) => {
    if (description !== undefined) {
      lengthOf(description, "Row description", DESCRIPTION_LIMIT, "row['description']");
    }
    return {
      id: lengthOf(id, "Row id", ROW_LIMITS.id, "row['id']"),
      title: lengthOf(title, "Row title", ROW_LIMITS.title, "row['title']"),
    };
  });
  if (new Set(found.map(({ id }) => id)).size < found.length)
    throw invalidValue("Duplicate row id");
  return found;
}

function textOf(value: unknown, field: string, limit: number): string {
  if (value === undefined) throw missing(field);
  if (typeof value !== "string") throw new GraphError(`(#100) Param ${field} must be a string.`);
  if (value.trim() === "") throw missing(field);
  if (value.length > limit) throw tooLong(field, limit);
  return value;
}

function lengthOf(value: unknown, name: string, limit: number, field: string): string {
  if (value === undefined) throw missing(field);
  if (typeof value !== "string" || value.trim() === "" || value.length > limit) {
    throw invalidValue(`${name} length invalid. Min length: 1, Max length: ${limit}`);
  }
  return value;
}
