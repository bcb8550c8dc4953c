import { errorMessage } from "@openclaw/foundation/display";
import type { ConversationEvent } from "./conversation-event.js";
import type { ExchangeResult } from "./exchange-result.js";
import type { ConversationPartner } from "./partner.js";
import { ReplyProgress } from "./reply-progress.js";
import type { ConversationView, PendingMessage, PendingState } from "./view.js";

/** Message of this client. */
export interface SentMessage {
  /** As the user typed it. */
  readonly text: string;
  /** Text on the screen; a credential is hidden. */
  readonly shown: string;
  /** Commands of the user before the text, as the model sees them. */
  readonly context: string;
  /** Images in base64. */
  readonly images?: readonly { readonly data: string }[] | undefined;
  /** Files in base64. */
  readonly files?: readonly { readonly name: string; readonly data: string }[] | undefined;
  /** Line that names what is attached; shown below the message. */
  readonly attached?: string | undefined;
  /** True for a message that was sent during a turn; the queue mode decides about it, which may be known later. */
  readonly isDuringTurn: boolean;
}

/** Message and its answer. */
interface OpenExchange extends SentMessage {
  readonly abort: AbortController;
  /** Start of its turn, in milliseconds since the epoch. */
  startedAt?: number;
  progress?: ReplyProgress;
  /** True when the gateway has stored it. */
  isStored?: boolean;
  /** True when the message is in the conversation. */
  isShown?: boolean;
}

/** Dependencies of {@link Exchanges}. */
export interface ExchangesDependencies {
  readonly partner: Pick<ConversationPartner, "send">;
  readonly view: Pick<ConversationView, "message" | "note" | "reply" | "restoreDraft">;
  /** Returns what happens to a message during a turn. */
  queueMode(): string;
  /**
   * Called for each event of an answer, before it is shown.
   * @returns line to show with the event, for example that another model replies
   */
  received(event: ConversationEvent): string | undefined;
  /** Called with the answer to a message. */
  answered(message: SentMessage, result: ExchangeResult): void;
  /** Called with a message that is in the input again. */
  takenBack(message: SentMessage): void;
  /** Called when other messages are pending, or a turn has begun or ended. */
  changed(): void;
}

/** State of a message that arrives during a turn, by the queue mode of the session; others queue it. */
const PENDING_STATES: Readonly<Record<string, PendingState>> = {
  steer: "steering",
  interrupt: "interrupting",
};

/** Messages of a conversation that have no answer yet, from the one that was sent first. */
export class Exchanges {
  readonly #dependencies: ExchangesDependencies;
  readonly #exchanges: OpenExchange[] = [];

  /** @param dependencies - gateway and screen */
  constructor(dependencies: ExchangesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Number of messages without an answer. */
  get count(): number {
    return this.#exchanges.length;
  }

  /** Start of the turn that runs, in milliseconds since the epoch. */
  get since(): number | undefined {
    return this.#exchanges.find(({ startedAt }) => startedAt !== undefined)?.startedAt;
  }

  /** Messages that wait for their turn. */
  get pending(): PendingMessage[] {
    return this.#exchanges
      .filter(({ progress, isShown }) => progress === undefined && isShown !== true)
      .map((exchange) => ({
        text: exchange.shown,
        state: this.#pendingState(exchange),
        isStored: exchange.isStored,
        uploadBytes: uploadBytesOf(exchange),
      }));
  }

  /** First message whose answer was not interrupted. */
  get running(): { readonly hasStarted: boolean; interrupt(): void } | undefined {
    const exchange = this.#exchanges.find(({ abort }) => !abort.signal.aborted);
    if (exchange === undefined) return undefined;
    return {
      hasStarted: exchange.startedAt !== undefined,
      interrupt: () => exchange.abort.abort(),
    };
  }

  /** Interrupts every answer. */
  interruptAll(): void {
    for (const { abort } of this.#exchanges) abort.abort();
  }

  /**
   * Sends a message, and shows its answer.
   * @param message - message of the user
   */
  send(message: SentMessage): void {
    const { view, changed } = this.#dependencies;
    const exchange: OpenExchange = { ...message, abort: new AbortController() };
    this.#exchanges.push(exchange);
    changed();
    this.#exchange(exchange).catch((error: unknown) => {
      view.note(errorMessage(error), "error");
      this.#end(exchange);
    });
  }

  async #exchange(exchange: OpenExchange): Promise<void> {
    const { partner, view, received, answered, takenBack, changed } = this.#dependencies;
    const { abort, text, context, images = [], files = [] } = exchange;
    let isAfterTool = false;
    const result = await partner.send(`${context}${text}`, {
      signal: abort.signal,
      images: images.length === 0 ? undefined : images.map(({ data }) => ({ data })),
      files: files.length === 0 ? undefined : files.map(({ name, data }) => ({ name, data })),
      onStored: () => {
        exchange.isStored = true;
        changed();
      },
      onEvent: (event) => {
        // Messages join a turn between its tool calls and the next answer of the model.
        if (isAfterTool && event.type !== "tool-finished") this.#showJoined();
        isAfterTool = event.type === "tool-finished";
        const note = received(event);
        this.#begin(exchange).show(event);
        if (note !== undefined) view.note(note, "info");
        changed();
      },
    });
    const isUnsent = !result.ok && result.isUnsent === true;
    // A message that was interrupted before its turn is taken back; a credential is not shown again.
    const isHidden = exchange.shown !== text;
    const isTakenBack =
      !result.ok && abort.signal.aborted && exchange.progress === undefined && !isHidden;
    if (isUnsent || isTakenBack) {
      view.restoreDraft(text);
      takenBack(exchange);
    }
    // Its answer is that of the turn which it joined, and is shown there.
    const hasJoined =
      this.#pendingState(exchange) === "steering" && exchange.progress === undefined;
    if (result.ok && hasJoined) {
      this.#showMessage(exchange);
    } else if (result.ok) {
      this.#begin(exchange).finish(result.text);
      answered(exchange, result);
    } else if (!isTakenBack) {
      if (!isUnsent) this.#begin(exchange).finish("");
      const hint = isUnsent ? "; the message was not sent and is in the input again" : "";
      view.note(`${result.problem}${hint}`, abort.signal.aborted ? "info" : "error");
    }
    this.#end(exchange);
  }

  /** Moves the messages that join the running turn into the conversation, above what the model answers next. */
  #showJoined(): void {
    for (const exchange of this.#exchanges) {
      const isPending = exchange.progress === undefined;
      if (isPending && this.#pendingState(exchange) === "steering") this.#showMessage(exchange);
    }
  }

  #showMessage(exchange: OpenExchange): void {
    if (exchange.isShown === true) return;
    exchange.isShown = true;
    const { view } = this.#dependencies;
    const { shown, attached } = exchange;
    view.message(shown, "you");
    if (attached !== undefined) view.note(attached, "info");
  }

  /** Moves a message into the conversation when its turn begins. */
  #begin(exchange: OpenExchange): ReplyProgress {
    if (exchange.progress === undefined) {
      this.#showMessage(exchange);
      exchange.progress = new ReplyProgress(this.#dependencies.view.reply());
      exchange.startedAt = Date.now();
    }
    return exchange.progress;
  }

  #end(exchange: OpenExchange): void {
    const index = this.#exchanges.indexOf(exchange);
    if (index >= 0) this.#exchanges.splice(index, 1);
    this.#dependencies.changed();
  }

  #pendingState({ isDuringTurn }: OpenExchange): PendingState {
    return isDuringTurn ? (PENDING_STATES[this.#dependencies.queueMode()] ?? "queued") : "waiting";
  }
}

function uploadBytesOf({ isStored, images = [], files = [] }: OpenExchange): number | undefined {
  const sent = [...images, ...files];
  if (isStored === true || sent.length === 0) return undefined;
  // Four letters of base64 are three bytes.
  return sent.reduce((sum, { data }) => sum + (data.length / 4) * 3, 0);
}
