import { type Fields, fieldsOf } from "../../model-servers/rejection.js";

/** Rejection of a request, as the Graph API reports it. */
export class GraphError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(message: string, { status = 400, code = 100 } = {}) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Body of the response. */
  get body(): object {
    const { message, code } = this;
    const type = code === 190 ? "OAuthException" : "GraphMethodException";
    return { error: { message, type, code, fbtrace_id: "trace" } };
  }
}

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

const TEXT_LIMIT = 4096;
const CAPTION_LIMIT = 1024;
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
  if (typeof type === "string" && MEDIA.has(type)) {
    const media = fieldsOf(body[type]) ?? {};
    if (typeof media.id !== "string") throw invalid(`${type}['id']`, "an uploaded file");
    const { caption = "", filename } = media;
    if (caption !== "") textOf(caption, `${type}['caption']`, CAPTION_LIMIT);
    if (caption !== "" && type === "audio") throw invalid("audio['caption']", "nothing");
    return {
      type,
      text: String(caption),
      buttons: [],
      mediaId: media.id,
      fileName: typeof filename === "string" ? filename : undefined,
    };
  }
  throw invalid("type", "a supported type");
}

function readInteractive(interactive: Fields): Pick<WhatsAppContent, "text" | "buttons"> {
  if (interactive.type !== "button") throw invalid("interactive['type']", "button");
  const text = textOf(
    fieldsOf(interactive.body)?.text,
    "interactive['body']['text']",
    CAPTION_LIMIT,
  );
  const listed = fieldsOf(interactive.action)?.buttons;
  if (!Array.isArray(listed) || listed.length < 1 || listed.length > 3) {
    throw invalid("interactive['action']['buttons']", "1 to 3 buttons");
  }
  const buttons = listed.map((item) => {
    const { id, title } = fieldsOf(fieldsOf(item)?.reply) ?? {};
    return { id: textOf(id, "reply['id']", 256), title: textOf(title, "reply['title']", 20) };
  });
  for (const key of ["id", "title"] as const) {
    if (new Set(buttons.map((button) => button[key])).size < buttons.length) {
      throw invalid(`reply['${key}']`, "a different value for each button");
    }
  }
  return { text, buttons };
}

function textOf(value: unknown, field: string, limit: number): string {
  if (typeof value !== "string" || value.trim() === "" || value.length > limit) {
    throw invalid(field, `1 to ${limit} characters`);
  }
  return value;
}

function invalid(field: string, expected: string): GraphError {
  return new GraphError(`(#100) Invalid parameter: ${field} must have ${expected}`);
}
