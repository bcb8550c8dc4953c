import type { Timers } from "@openclaw/foundation";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { AsyncQueue } from "../async-queue.js";
import type { ReceivedEvent } from "../connection/event.js";
import type { ConnectionState } from "../connection/state.js";
import { GatewayClosedError } from "../errors.js";
import { idempotencyKey } from "../idempotency-key.js";
import { type ChatEnd, type ChatEvent, chatEventOf, conversationOf } from "./chat-event.js";
import { readStoredAnswer } from "./stored-end.js";

/** Message to a session. */
export interface ChatMessage {
  /** Full or short key of the session, for example `main`. */
  readonly sessionKey: string;
  readonly text: string;
  /** PNG, JPEG, GIF or WebP images in base64, which the model sees with the text. */
  readonly images?: readonly { readonly data: string }[] | undefined;
  /** PDFs, images or text files in base64, which the model reads with the text. */
  readonly files?: readonly { readonly name: string; readonly data: string }[] | undefined;
  /** Model of this turn, `provider/model`; that of the agent when absent. */
  readonly model?: string | undefined;
  /** Key that identifies repeats of the message, also in a later process; a new one when absent. */
  readonly idempotencyKey?: string | undefined;
}

type ChatMethod = "chat.send" | "chat.history" | "chat.abort";

/** Members of a connection that an exchange uses. */
export interface ChatConnection {
  call<Name extends ChatMethod>(
    method: Name,
    parameters: GatewayMethodParameters<Name>,
    options?: { readonly idempotencyKey?: string | undefined },
  ): Promise<GatewayMethodResult<Name>>;
  subscribe(
    sessionKey: string,
  ): Promise<{ readonly sessionKey: string; unsubscribe(): Promise<void> }>;
  onAny(listener: (event: ReceivedEvent) => void): () => void;
  onState(listener: (state: ConnectionState) => void): () => void;
  readonly timers: Timers;
}

/** Times in milliseconds after a restart of the gateway at which a message without a turn is looked up again. */
const LOOKUPS = [1000, 4000, 10_000];

type Input =
  | { readonly type: "event"; readonly event: ReceivedEvent }
  /** The connection was lost, and with it previews that only it would have carried. */
  | { readonly type: "lost" }
  | { readonly type: "look-up"; readonly count: number };

/**
 * A message to a session and the events of its answer. The message is sent when the iteration starts. Leaving the loop
 * stops reading; the answer continues in the gateway unless {@link ChatExchange.abort} ends it.
 */
export class ChatExchange implements AsyncIterable<ChatEvent> {
  readonly #connection: ChatConnection;
  readonly #message: ChatMessage;
  readonly #inputs = new AsyncQueue<Input>();
  #sent: GatewayMethodResult<"chat.send"> | undefined;
  #runId: string | undefined;
  #isAborted = false;
  #hasStarted = false;
  #stopLookUp = () => {};

  /**
   * @param connection - connection to the gateway
   * @param message - session and text
   */
  constructor(connection: ChatConnection, message: ChatMessage) {
    this.#connection = connection;
    this.#message = message;
  }

  /**
   * Interrupts the answer. The iteration ends with the status `interrupted` once the gateway has interrupted it.
   * @throws GatewayClientError
   */
  async abort(): Promise<void> {
    this.#isAborted = true;
    if (this.#sent !== undefined) await this.#abortSent(this.#sent);
  }

  /**
   * Sends the message and yields the events of its answer.
   * @throws GatewayClientError when the message is not accepted, or the connection is closed or rejected
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<ChatEvent, void, undefined> {
    if (this.#hasStarted)
      throw new TypeError("an exchange can be iterated once; send another message");
    this.#hasStarted = true;
    const connection = this.#connection;
    const { sessionKey, text, images, files, model } = this.#message;
    const { idempotencyKey: key = idempotencyKey() } = this.#message;
    const removes = [
      connection.onAny((event) => this.#inputs.push({ type: "event", event })),
      connection.onState((state) => this.#changed(state)),
    ];
    try {
      const subscription = await connection.subscribe(sessionKey);
      removes.push(() => void subscription.unsubscribe().catch(ignoreEndOfConnection));
      if (this.#isAborted) return yield INTERRUPTED;
      const parameters = {
        ...{ sessionKey, text },
        ...(images === undefined ? {} : { images: [...images] }),
        ...(files === undefined ? {} : { files: [...files] }),
        ...(model === undefined ? {} : { model }),
      };
      const sent = await connection.call("chat.send", parameters, { idempotencyKey: key });
      this.#sent = sent;
      this.#runId = sent.runId;
      yield { type: "sent", messageId: sent.messageId, sessionKey: sent.sessionKey };
      if (this.#isAborted) await this.#abortSent(sent);
      yield* this.#answer(sent);
    } finally {
      this.#stopLookUp();
      for (const remove of removes) remove();
    }
  }

  async *#answer(
    sent: GatewayMethodResult<"chat.send">,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    for await (const input of this.#inputs.read()) {
      if (input.type === "lost") {
        yield { type: "text-lost" };
      } else if (input.type === "look-up") {
        if (yield* this.#lookUp(sent, input.count)) return;
      } else if (input.event.name === "resync") {
        if (yield* this.#lookUp(sent, 0)) return;
      } else if (this.#isMine(input.event, sent)) {
        if ((input.event.dropped ?? 0) > 0) yield { type: "text-lost" };
        const event = chatEventOf(input.event);
        if (event === undefined) continue;
        yield event;
        if (event.type === "final" || event.type === "error") return;
      }
    }
  }

  #isMine(event: ReceivedEvent, sent: GatewayMethodResult<"chat.send">): boolean {
    const { sessionKey, runId, messageId } = conversationOf(event);
    if (sessionKey !== sent.sessionKey) return false;
    if (event.name === "approval.requested" || event.name === "approval.resolved") return true;
    if (messageId !== undefined && messageId === sent.messageId) this.#runId = runId ?? this.#runId;
    // The end of another message of the same turn is not the end of this one.
    if (event.name === "chat.final" || event.name === "chat.error") {
      return messageId === sent.messageId;
    }
    return runId !== undefined && runId === this.#runId;
  }

  /**
   * Reads how the message was answered, when the events are missing.
   * @returns true when the answer has ended
   */
  async *#lookUp(
    { sessionKey, messageId }: GatewayMethodResult<"chat.send">,
    count: number,
  ): AsyncGenerator<ChatEvent, boolean, undefined> {
    this.#stopLookUp();
    const answer = await readStoredAnswer(
      (parameters) => this.#connection.call("chat.history", parameters),
      { sessionKey, messageId, runId: this.#runId },
    );
    if (answer.state !== "unknown") {
      this.#runId = answer.runId;
      yield { type: "found", runId: answer.runId, messageId };
      if (answer.state === "ended") yield answer.end;
      return answer.state === "ended";
    }
    const delay = LOOKUPS[count];
    if (delay === undefined) {
      yield UNKNOWN;
      return true;
    }
    const { timers } = this.#connection;
    const next = { type: "look-up", count: count + 1 } as const;
    const timer = timers.setTimeout(() => this.#inputs.push(next), delay);
    this.#stopLookUp = () => timers.clearTimeout(timer);
    return false;
  }

  #changed(state: ConnectionState): void {
    if (state.status === "reconnecting") {
      if (this.#sent !== undefined) this.#inputs.push({ type: "lost" });
    } else if (state.status === "refused") {
      this.#inputs.end(state.error);
    } else if (state.status === "closed") {
      this.#inputs.end(new GatewayClosedError("the connection was closed before the answer ended"));
    }
  }

  async #abortSent({ sessionKey }: GatewayMethodResult<"chat.send">): Promise<void> {
    const runId = this.#runId;
    await this.#connection.call("chat.abort", runId === undefined ? { sessionKey } : { runId });
  }
}

const INTERRUPTED: ChatEnd = { type: "final", status: "interrupted", text: "" };

const UNKNOWN: ChatEnd = {
  type: "error",
  error: {
    reason: "ANSWER_UNKNOWN",
    message:
      "the gateway restarted, and has not stored an answer to this message; read the history of the session, and send the message again if it has no answer",
  },
};

/** Without the connection there is no subscription to end. */
function ignoreEndOfConnection(): void {}
