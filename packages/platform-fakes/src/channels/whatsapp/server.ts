import { randomBytes } from "node:crypto";
import { HangUp } from "../../loopback-server.js";
import { type Fields, fieldsOf } from "../../models/rejection.js";
import {
  type PlatformAnswer,
  type PlatformFault,
  type PlatformRequest,
  type PlatformServer,
  startPlatformServer,
} from "../platform-server.js";
import { RateLimits } from "../rate-limits.js";
import { RecordedList } from "../recorded-list.js";
import { checkKind, checkUpload } from "./media.js";
import { checkRate } from "./rates.js";
import { GraphError, invalidValue, mediaError, missing } from "./refusal.js";
import { readContent, readReaction, type WhatsAppContent } from "./rules.js";
import { type WhatsAppDelivery, type WhatsAppServerOptions, WhatsAppWebhook } from "./webhook.js";

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
  /** Limits of messages, once a test enforces them. */
  readonly rates = new RateLimits();
  /** IDs of messages that were marked as read. */
  readonly read: string[] = [];
  readonly #webhook: WhatsAppWebhook;
  readonly #origin: string | undefined;
  readonly #files = new Map<string, { readonly type: string; readonly content: Uint8Array }>();
  /** People who wrote within the last 24 hours. */
  readonly #open = new Set<string>();
  readonly #received = new Set<string>();
  /** Numbers of people who cannot be reached. */
  readonly #unreachable = new Set<string>();
  #isExpired = false;
  #faults: PlatformFault[] = [];
  #server: PlatformServer | undefined;
  #count = 0;

  /** @param options - webhook */
  constructor(options: WhatsAppServerOptions) {
    const { appSecret, phoneNumberId } = this;
    this.#origin = options.origin;
    this.#webhook = new WhatsAppWebhook({
      ...{ ...options, appSecret, phoneNumberId },
      next: () => this.#next(),
    });
  }

  /** Starts the HTTP server. */
  async listen(): Promise<void> {
    this.#server = await startPlatformServer((request) => this.#answer(request), this.#origin);
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
  verifyUrl(token: string = this.verifyToken): Promise<boolean> {
    return this.#webhook.verifyUrl(token);
  }

  /**
   * Writes a message as a person.
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
   * @param signature - signature instead of the right one
   * @returns status of the answer
   */
  sendRaw(body: string, signature?: string): Promise<number> {
    return this.#webhook.sendRaw(body, signature);
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

  /** Lets the access token expire. */
  expireToken(): void {
    this.#isExpired = true;
  }

  /**
   * Makes a person unreachable, for example because the number has no WhatsApp.
   * @param person - number of the person
   */
  block(person: string): void {
    this.#unreachable.add(person);
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

  #notify(from: string, content: object): Promise<WhatsAppDelivery> {
    this.#open.add(from);
    const sender = { id: from, name: from === ALICE ? "Alice" : from };
    return this.#webhook.notify(sender, content, (id) => this.#received.add(id));
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
      const problem = "Invalid OAuth access token - Cannot parse access token";
      throw new GraphError(problem, { status: 401, code: 190 });
    }
    if (this.#isExpired) {
      const problem = "Error validating access token: Session has expired.";
      throw new GraphError(problem, { status: 401, code: 190, subcode: 463 });
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
      return this.#message(objectOf(body));
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
    if (body.messaging_product !== "whatsapp") throw missing("messaging_product");
    const { status, message_id: messageId, to } = body;
    if (status === "read") {
      if (!this.#received.has(String(messageId))) throw invalidValue("Message ID is not valid.");
      this.read.push(String(messageId));
      return { body: { success: true } };
    }
    if (to === undefined) throw missing("to");
    if (typeof to !== "string" || !/^\+?\d{6,15}$/.test(to)) {
      throw invalidValue("Recipient phone number is not valid.");
    }
    if (this.#unreachable.has(to)) {
      throw new GraphError("(#131026) Message undeliverable", { code: 131026 });
    }
    const id = `wamid.${Buffer.from(`sent-${this.#next()}`).toString("base64")}`;
    const accepted = {
      messaging_product: "whatsapp",
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id }],
    };
    if (body.type === "reaction") {
      const reaction = fieldsOf(body.reaction) ?? {};
      this.reactions.push(readReaction(reaction, (known) => this.#has(known)));
      return { body: accepted };
    }
    const content = readContent(body);
    if (!this.#open.has(to)) {
      const details =
        "Message failed to send because more than 24 hours have passed since the customer last replied to this number.";
      throw new GraphError("(#131047) Re-engagement message", { code: 131047, details });
    }
    if (content.mediaId !== undefined) {
      const file = this.#files.get(content.mediaId);
      if (file === undefined) throw mediaError(`Media ${content.mediaId} was not found.`);
      checkKind(content.type, file.type);
    }
    const replyTo = fieldsOf(body.context)?.message_id;
    if (replyTo !== undefined && !this.#has(String(replyTo))) {
      throw invalidValue("Message ID of the context is not valid.");
    }
    checkRate(this.rates, to);
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
    if (!type.startsWith("multipart/form-data")) throw missing("file");
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const file = form.get("file");
    if (form.get("messaging_product") !== "whatsapp") throw missing("messaging_product");
    if (!(file instanceof Blob)) throw missing("file");
    checkUpload(file.type, file.size);
    const id = `media-${this.#next()}`;
    this.#files.set(id, { type: file.type, content: new Uint8Array(await file.arrayBuffer()) });
    return { body: { id } };
  }

  #has(messageId: string): boolean {
    return this.#received.has(messageId) || this.sent.all.some(({ id }) => id === messageId);
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

function objectOf(body: Buffer): Fields {
  try {
    return fieldsOf(JSON.parse(body.toString("utf8"))) ?? {};
  } catch {
    throw new GraphError("(#100) The request body is not valid JSON.");
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
