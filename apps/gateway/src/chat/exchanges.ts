import { errorMessage } from "@openclaw/foundation";
import { DEMO_LABEL, isDemoModel } from "./demo-label.js";
import type { AttachedImage } from "./input/image-file.js";
import { attachedText } from "./input/input-images.js";
import { modelNote } from "./model-note.js";
import type { ChatEvent, ChatPartner, ChatResult } from "./partner.js";
import { ReplyProgress } from "./reply-progress.js";
import type { ChatView, PendingMessage, PendingState } from "./view.js";

/** Message of this chat. */
export interface SentMessage {
  /** As the user typed it. */
  readonly text: string;
  /** Text on the screen; a credential is hidden. */
  readonly shown: string;
  /** Commands of the user before the text, as the model sees them. */
  readonly context: string;
  readonly images?: readonly AttachedImage[] | undefined;
  /** True for a message that was sent during a turn; the queue mode decides about it, which may be known later. */
  readonly isDuringTurn: boolean;
}

/** Message and its answer. */
interface Exchange extends SentMessage {
  readonly abort: AbortController;
  /** Start of its turn, in milliseconds since the epoch. */
  startedAt?: number;
  progress?: ReplyProgress;
  /** True when the message is in the conversation. */
  isShown?: boolean;
}

/** Dependencies of {@link Exchanges}. */
export interface ExchangesDependencies {
  readonly partner: Pick<ChatPartner, "send">;
  readonly view: Pick<ChatView, "message" | "note" | "reply" | "restoreDraft">;
  /** Returns what happens to a message during a turn. */
  queueMode(): string;
  /** Called for each event of an answer, before it is shown. */
  received(event: ChatEvent): void;
  /** Called with the answer to a message. */
  answered(message: SentMessage, result: ChatResult): void;
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

/** Messages of a chat that have no answer yet, from the one that was sent first. */
export class Exchanges {
  readonly #dependencies: ExchangesDependencies;
  readonly #exchanges: Exchange[] = [];

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
      .map((exchange) => ({ text: exchange.shown, state: this.#pendingState(exchange) }));
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
    const exchange: Exchange = { ...message, abort: new AbortController() };
    this.#exchanges.push(exchange);
    changed();
    this.#exchange(exchange).catch((error: unknown) => {
      view.note(errorMessage(error), "error");
      this.#end(exchange);
    });
  }

  async #exchange(exchange: Exchange): Promise<void> {
    const { partner, view, received, answered, takenBack, changed } = this.#dependencies;
    const { abort, text, context, images = [] } = exchange;
    let isAfterTool = false;
    const result = await partner.send(`${context}${text}`, {
      signal: abort.signal,
      images: images.length === 0 ? undefined : images.map(({ data }) => ({ data })),
      onEvent: (event) => {
        // Messages join a turn between its tool calls and the next answer of the model.
        if (isAfterTool && event.type !== "tool-finished") this.#showJoined();
        isAfterTool = event.type === "tool-finished";
        received(event);
        if (event.type === "started") {
          this.#begin(exchange);
          if (isDemoModel(event.model)) view.note(DEMO_LABEL, "info");
        }
        this.#begin(exchange).show(event);
        const note = modelNote(event);
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

  #showMessage(exchange: Exchange): void {
    if (exchange.isShown === true) return;
    exchange.isShown = true;
    const { view } = this.#dependencies;
    const { shown, images = [] } = exchange;
    view.message(shown, "you");
    if (images.length > 0) view.note(attachedText(images), "info");
  }

  /** Moves a message into the conversation when its turn begins. */
  #begin(exchange: Exchange): ReplyProgress {
    if (exchange.progress === undefined) {
      this.#showMessage(exchange);
      exchange.progress = new ReplyProgress(this.#dependencies.view.reply());
      exchange.startedAt = Date.now();
    }
    return exchange.progress;
  }

  #end(exchange: Exchange): void {
    const index = this.#exchanges.indexOf(exchange);
    if (index >= 0) this.#exchanges.splice(index, 1);
    this.#dependencies.changed();
  }

  #pendingState({ isDuringTurn }: Exchange): PendingState {
    return isDuringTurn ? (PENDING_STATES[this.#dependencies.queueMode()] ?? "queued") : "waiting";
  }
}
