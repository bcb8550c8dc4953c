import { createHmac, randomBytes } from "node:crypto";
import { type Fields, fieldsOf } from "../../model-servers/rejection.js";
import {
  HangUp,
  type PlatformAnswer,
  type PlatformFault,
  type PlatformRequest,
  type PlatformServer,
  startPlatformServer,
} from "../platform-server.js";
import { RecordedList } from "../recorded-list.js";
import { GraphError, readContent, type WhatsAppContent } from "./rules.js";

/** Options of {@link startWhatsAppServer}. */
export interface WhatsAppServerOptions {
  /** Callback URL of the webhook. */
  readonly callbackUrl: string;
  /** Sends requests to the callback URL. */
  readonly request: (url: URL, init: RequestInit) => Promise<Response>;
  /** Origin under which clients reach the server, for example through a proxy; that of loopback when absent. */
  readonly origin?: string;
}

/** Message of the business. */
export interface WhatsAppSent extends WhatsAppContent {
  readonly id: string;
  readonly to: string;
  readonly replyTo?: string | undefined;
}

/** A file that a person sends. */
export interface WhatsAppFile {
  readonly type: "image" | "document" | "audio" | "video";
  readonly mimeType: string;
  readonly name?: string;
  readonly content: Uint8Array;
}

/** Notification that was sent to the webhook. */
export interface WhatsAppDelivery {
  /** ID of the message. */
  readonly id: string;
  /** Status of the answer of the webhook. */
  readonly status: number;
  /** Sends the notification again, as Meta does until it is answered with 200. */
  repeat(): Promise<WhatsAppDelivery>;
}

const ALICE = "491700000001";
const VERSION = /^v\d+\.\d+$/;

/** Fake of the WhatsApp Cloud API: messages, media, webhook with verification and signature. */
export class WhatsAppServer implements AsyncDisposable {
  readonly accessToken = `EAA${randomBytes(16).toString("hex")}`;
  readonly appSecret = randomBytes(16).toString("hex");
  readonly verifyToken = randomBytes(8).toString("hex");
  readonly phoneNumberId = "106540352242922";
  /** Messages of the business, oldest first. */
  readonly sent = new RecordedList<WhatsAppSent>();
  readonly reactions: { readonly messageId: string; readonly emoji: string }[] = [];
  /** IDs of messages that were marked as read. */
  readonly read: string[] = [];
  readonly #options: WhatsAppServerOptions;
  readonly #files = new Map<string, { readonly type: string; readonly content: Uint8Array }>();
  /** People who wrote within the last 24 hours. */
  readonly #open = new Set<string>();
  readonly #received = new Set<string>();
  #faults: PlatformFault[] = [];
  #server: PlatformServer | undefined;
  #count = 0;

  /** @param options - webhook */
  constructor(options: WhatsAppServerOptions) {
    this.#options = options;
  }

  /** Starts the HTTP server. */
  async listen(): Promise<void> {
    this.#server = await startPlatformServer(
      (request) => this.#answer(request),
      this.#options.origin,
    );
  }

  /** Base URL of the Graph API, for `apiUrl` of a client. */
  get apiUrl(): string {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.origin;
  }

  /** Port on loopback. */
  get port(): number {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.port;
  }

  /** Verifies the callback URL, as Meta does when it is saved. */
  async verifyUrl(token: string = this.verifyToken): Promise<boolean> {
    const challenge = String(1_000_000 + this.#next());
    const url = new URL(this.#options.callbackUrl);
    url.searchParams.set("hub.mode", "subscribe");
    url.searchParams.set("hub.verify_token", token);
    url.searchParams.set("hub.challenge", challenge);
    const response = await this.#options.request(url, { method: "GET" });
    return response.status === 200 && (await response.text()) === challenge;
  }

  /**
   * Writes a message as a person.
   * @param text - text
   * @param from - number of the person; Alice when absent
   */
  say(text: string, from: string = ALICE): Promise<WhatsAppDelivery> {
    return this.#notify(from, { type: "text", text: { body: text } });
  }

  /**
   * Sends a file as a person.
   * @param file - its content
   * @param caption - text below it
   */
  sendFile({ type, mimeType, name, content }: WhatsAppFile, caption?: string) {
    const id = `media-${this.#next()}`;
    this.#files.set(id, { type: mimeType, content });
    const media = { id, mime_type: mimeType, sha256: "", filename: name, caption };
    return this.#notify(ALICE, { type, [type]: media });
  }

  /**
   * Presses a button.
   * @param message - message of the business
   * @param title - text on the button
   */
  press({ id, buttons }: WhatsAppSent, title: string): Promise<WhatsAppDelivery> {
    const button = buttons.find((each) => each.title === title);
    if (button === undefined) throw new Error(`the message has no button "${title}"`);
    return this.#notify(ALICE, {
      type: "interactive",
      context: { from: this.phoneNumberId, id },
      interactive: { type: "button_reply", button_reply: button },
    });
  }

  /**
   * Sends any notification.
   * @param body - the body
   * @param signature - signature instead of the right one
   * @returns status of the answer
   */
  async sendRaw(body: string, signature?: string): Promise<number> {
    const signed = createHmac("sha256", this.appSecret).update(body).digest("hex");
    const response = await this.#options.request(new URL(this.#options.callbackUrl), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-hub-signature-256": signature ?? `sha256=${signed}`,
      },
      body,
    });
    return response.status;
  }

  /**
   * Waits for a message of the business.
   * @param matches - condition on the message
   */
  message(matches: (message: WhatsAppSent) => boolean): Promise<WhatsAppSent> {
    return this.sent.find(matches);
  }

  /**
   * Lets the next messages of the business fail.
   * @param faults - failures, in order
   */
  fail(...faults: readonly PlatformFault[]): void {
    this.#faults = [...this.#faults, ...faults];
  }

  /** Closes the 24 hours in which the business may write to a person. */
  closeWindow(): void {
    this.#open.clear();
  }

  /** Content of an uploaded file. */
  file(mediaId: string): Uint8Array | undefined {
    return this.#files.get(mediaId)?.content;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #notify(from: string, content: object): Promise<WhatsAppDelivery> {
    const id = `wamid.${Buffer.from(`${from}-${this.#next()}`).toString("base64")}`;
    this.#open.add(from);
    this.#received.add(id);
    const value = {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: "15550001111", phone_number_id: this.phoneNumberId },
      contacts: [{ profile: { name: from === ALICE ? "Alice" : from }, wa_id: from }],
      messages: [{ from, id, timestamp: String(1_700_000_000 + this.#next()), ...content }],
    };
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "0", changes: [{ value, field: "messages" }] }],
    });
    const send = async (): Promise<WhatsAppDelivery> => ({
      id,
      status: await this.sendRaw(body),
      repeat: send,
    });
    return send();
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer> {
    try {
      return await this.#graph(request);
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  async #graph(request: PlatformRequest): Promise<PlatformAnswer> {
    const { method, path, headers, body } = request;
    if (headers.authorization !== `Bearer ${this.accessToken}`) {
      throw new GraphError("Invalid OAuth access token.", { status: 401, code: 190 });
    }
    const [, version = "", node = "", edge = ""] = path.split("/");
    if (version === "whatsapp_business") return this.#download(request);
    if (!VERSION.test(version)) throw new GraphError(`Unknown path ${path}`, { status: 404 });
    if (node === this.phoneNumberId && method === "GET" && edge === "") {
      return { body: { id: node, display_phone_number: "15550001111" } };
    }
    if (node === this.phoneNumberId && method === "POST" && edge === "media") {
      return this.#upload(request);
    }
    if (node === this.phoneNumberId && method === "POST" && edge === "messages") {
      return this.#message(fieldsOf(JSON.parse(body.toString("utf8"))) ?? {});
    }
    const file = this.#files.get(node);
    if (method === "GET" && edge === "" && file !== undefined) {
      const url = `https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=${node}`;
      return { body: { url, mime_type: file.type, file_size: file.content.byteLength, id: node } };
    }
    const missing = `Unsupported ${method.toLowerCase()} request. Object with ID '${node}' does not exist`;
    throw new GraphError(missing, { status: 404 });
  }

  #message(body: Fields): PlatformAnswer {
    const fault = this.#faults.shift();
    if (fault?.kind === "hang-up") throw new HangUp();
    if (fault?.kind === "outage") return { status: fault.status ?? 503, body: {} };
    if (fault?.kind === "rate-limit") {
      throw new GraphError("(#130429) Rate limit hit", { status: 429, code: 130429 });
    }
    const answer = this.#accept(body);
    if (fault?.kind === "lost-answer") throw new HangUp();
    return answer;
  }

  #accept(body: Fields): PlatformAnswer {
    if (body.messaging_product !== "whatsapp") {
      throw new GraphError("(#100) The parameter messaging_product is required.");
    }
    const { status, message_id: messageId, to } = body;
    if (status === "read") {
      if (!this.#received.has(String(messageId))) throw new GraphError("(#131009) message_id");
      this.read.push(String(messageId));
      return { body: { success: true } };
    }
    if (typeof to !== "string" || !/^\d{6,15}$/.test(to)) {
      throw new GraphError("(#100) The parameter to is required.");
    }
    const id = `wamid.${Buffer.from(`sent-${this.#next()}`).toString("base64")}`;
    const accepted = {
      messaging_product: "whatsapp",
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id }],
    };
    if (body.type === "reaction") {
      const { message_id: target, emoji } = fieldsOf(body.reaction) ?? {};
      this.reactions.push({ messageId: String(target), emoji: String(emoji) });
      return { body: accepted };
    }
    if (!this.#open.has(to)) {
      throw new GraphError("(#131047) Re-engagement message", { code: 131047 });
    }
    const content = readContent(body);
    if (content.mediaId !== undefined && !this.#files.has(content.mediaId)) {
      throw new GraphError(`(#131053) Media ${content.mediaId} not found`, { code: 131053 });
    }
    const replyTo = fieldsOf(body.context)?.message_id;
    this.sent.add({
      ...content,
      id,
      to,
      replyTo: typeof replyTo === "string" ? replyTo : undefined,
    });
    return { body: accepted };
  }

  async #upload({ headers, body }: PlatformRequest): Promise<PlatformAnswer> {
    const type = headers["content-type"] ?? "";
    if (!type.startsWith("multipart/form-data")) throw new GraphError("(#100) file is required");
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const file = form.get("file");
    if (form.get("messaging_product") !== "whatsapp" || !(file instanceof Blob)) {
      throw new GraphError("(#100) The parameter file is required.");
    }
    const id = `media-${this.#next()}`;
    this.#files.set(id, { type: file.type, content: new Uint8Array(await file.arrayBuffer()) });
    return { body: { id } };
  }

  #download({ query }: PlatformRequest): PlatformAnswer {
    const file = this.#files.get(query.get("mid") ?? "");
    if (file === undefined) return { status: 404, body: {} };
    return { headers: { "content-type": file.type }, body: file.content };
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

/**
 * Starts a fake WhatsApp Cloud API that validates requests as Meta does, for tests of clients.
 * @param options - webhook
 */
export async function startWhatsAppServer(options: WhatsAppServerOptions): Promise<WhatsAppServer> {
  const server = new WhatsAppServer(options);
  await server.listen();
  return server;
}
