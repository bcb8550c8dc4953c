import { createHash, randomUUID } from "node:crypto";
import {
  type ChannelContext,
  ChannelSendFailedError,
  type IncomingMessage,
  MessageQueue,
  type OutgoingResponse,
} from "@openclaw/plugin-sdk/channel-core";
import { type CallbackBody, type CallbackReceiver, postReply } from "./callback.js";
import { listen } from "./listener.js";
import { type Proof, proofOf } from "./proof.js";
import { Refusal } from "./refusal.js";
import { type HttpMessage, type RequestBody, readMessage } from "./request.js";
import { RequestRate } from "./request-rate.js";
import { CHANNEL, type HttpSettings } from "./settings.js";
import { WaitingReplies } from "./waiting-replies.js";

const REQUESTS_PER_MINUTE = 60;
/** Time that the host has to store a message before its request is answered with 503, in milliseconds. */
const STORE_MS = 30_000;

/** Capabilities and times of an account, of which tests replace some. */
export interface HttpAccountOptions {
  readonly fetch: CallbackReceiver["fetch"];
  /** Time that a request waits for the reply, in milliseconds (CHAN-026). */
  readonly replyMs: number;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** One secret, and the messages of those who know it. */
export class HttpAccount {
  readonly settings: HttpSettings;
  readonly #context: ChannelContext;
  readonly #options: HttpAccountOptions;
  readonly #queue = new MessageQueue();
  readonly #replies = new WaitingReplies();
  readonly #rate: RequestRate;

  /**
   * @param settings - settings of the account
   * @param context - signal and log of the account
   * @param options - network, times and clock
   */
  constructor(settings: HttpSettings, context: ChannelContext, options: HttpAccountOptions) {
    this.settings = settings;
    this.#context = context;
    this.#options = options;
    this.#rate = new RequestRate(REQUESTS_PER_MINUTE, () => options.now());
  }

  /**
   * Receives the messages of requests until the signal aborts.
   * @param serve - handles the requests of the account's own listener
   * @throws ChannelStartupFailedError when it cannot listen
   */
  async *receive(serve: (request: Request) => Promise<Response>): AsyncGenerator<IncomingMessage> {
    const { signal, connected, logger } = this.#context;
    const { listener } = this.settings;
    const listening = listener && (await listen(listener, serve));
    if (listening !== undefined) logger.info(`listens on ${listening.url}`);
    try {
      connected();
      yield* this.#queue.read(signal);
    } finally {
      await listening?.close();
    }
  }

  /**
   * Checks that the sender of a request has the secret (CHAN-024).
   * @param body - body of the request
   * @param headers - its headers
   * @returns undefined for a request with another secret, or with none
   */
  proofOf(body: RequestBody, headers: Headers): Proof | undefined {
    return proofOf(body, headers, this.settings, this.#options.now());
  }

  /**
   * Accepts the message of an authenticated request, and answers once the host has stored it (CHAN-013, CHAN-026).
   * @param request - the request
   * @param body - its body
   * @param proof - proof of the secret
   */
  async accept(request: Request, body: RequestBody, proof: Proof): Promise<Response> {
    const seconds = this.#rate.take();
    if (seconds !== undefined) {
      const reason = `more than ${REQUESTS_PER_MINUTE} requests in a minute; try again later`;
      const headers = { "retry-after": String(seconds) };
      return new Refusal("rate_limited", reason, headers).response();
    }
    const { problem, replayKey = null } = proof;
    if (problem !== undefined) return new Refusal("unauthorized", problem).response();
    // The signature covers the key, so a replay has the key of the first request.
    const message = readMessage(body, request.headers.get("idempotency-key") ?? replayKey);
    if (message instanceof Refusal) return message.response();
    if (message.waits && this.#replies.isFull) {
      const reason = "too many requests wait for a reply; send without wait_for_response";
      return new Refusal("too_many_waiting", reason, { "retry-after": "5" }).response();
    }
    if (this.#queue.isFull) {
      const reason = "too many messages are waiting to be stored; send it again later";
      return new Refusal("queue_full", reason, { "retry-after": "5" }).response();
    }
    return await this.#take(request, message);
  }

  /**
   * Sends a reply: as the response to the request that waits for it, or else to the callback URL. Without both it is
   * in the transcript of the session only.
   * @param message - the message that it answers
   * @param response - the reply
   * @throws ChannelError when the callback failed
   */
  async reply({ id, threadId, userId }: IncomingMessage, response: OutgoingResponse) {
    if (this.#replies.answer(id, response.content)) return;
    if (this.settings.callbackUrl === undefined) return;
    await this.#post({ message_id: id, user_id: userId, ...threadOf(threadId) }, response);
  }

  /**
   * Sends a message that answers none, to the callback URL.
   * @param userId - recipient
   * @param response - the message
   * @throws ChannelError when there is no callback URL, or the callback failed
   */
  async send(userId: string, response: OutgoingResponse): Promise<void> {
    await this.#post({ user_id: userId, ...threadOf(response.threadId) }, response);
  }

  async #take(request: Request, message: HttpMessage): Promise<Response> {
    const incoming = this.#incoming(message);
    const limit = AbortSignal.any([request.signal, this.#context.signal]);
    const timer = new AbortController();
    const waiting = message.waits
      ? this.#replies.wait(incoming.id, AbortSignal.any([limit, timer.signal]))
      : undefined;
    const reception = await this.#queue.add(incoming, STORE_MS);
    if (reception !== "stored") {
      timer.abort();
      const problem = "the host did not store the message; send it again with its Idempotency-Key";
      return new Refusal("not_started", problem, { "retry-after": "5" }).response();
    }
    const accepted = { message_id: incoming.id, status: "accepted" };
    if (waiting === undefined) return Response.json(accepted);
    const timeout = setTimeout(() => timer.abort(), this.#options.replyMs);
    const response = await waiting;
    clearTimeout(timeout);
    return Response.json({ ...accepted, response: response ?? "Response timeout" });
  }

  #incoming({ content, threadId, key }: HttpMessage): IncomingMessage {
    const { accountId } = this.#context;
    const { userId } = this.settings;
    // A repeat of a request has the ID of the first one, in every process.
    const id = key === undefined ? randomUUID() : uuidOf(JSON.stringify([accountId, key]));
    return {
      ...{ id, channel: CHANNEL, accountId, userId, content, externalId: id },
      // Only the threads of rooms have separate sessions (TURN-009).
      ...(threadId === undefined
        ? {}
        : { threadId, room: { kind: "channel" as const, id: userId }, isMention: true }),
      receivedAt: new Date(this.#options.now()),
    };
  }

  async #post(
    about: Omit<CallbackBody, "response">,
    { content, idempotencyKey }: OutgoingResponse,
  ) {
    const { callbackUrl: url, webhookSecret: secret, acceptsUntimed: untimed } = this.settings;
    if (url === undefined) {
      const problem =
        "it sends messages that are not replies only to a callback; set channels.http.callbackUrl";
      throw new ChannelSendFailedError(CHANNEL, problem);
    }
    const { fetch, now } = this.#options;
    const deliveryId = idempotencyKey ?? randomUUID();
    await postReply(
      { url, secret, untimed, fetch, now },
      { ...about, response: content },
      deliveryId,
    );
  }
}

function threadOf(threadId: string | undefined): { thread_id?: string } {
  return threadId === undefined ? {} : { thread_id: threadId };
}

/** Returns the UUID (version 8) of a text. */
function uuidOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
