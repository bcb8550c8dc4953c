import { chatEventOf } from "../chat/chat-event.js";
import { type ReadHistory, readStoredAnswer } from "../chat/stored-end.js";
import type { ReceivedEvent } from "../connection/event.js";
import { screenEventOf } from "./conversation-event.js";
import { resultOf } from "./exchange-result.js";
import { shownText } from "./message-text.js";
import type { ConversationObserver, ObservedTurn } from "./partner.js";

/** Number of entries of the history among which the message of a turn is searched. */
const RECENT = 20;

/** Events of a session, and its history. */
export interface ObservedSession {
  /**
   * Listens to the events of a gateway.
   * @param listener - called for each event
   * @returns function that removes the listener
   */
  onEvent(listener: (event: ReceivedEvent) => void): () => void;
  readonly readHistory: ReadHistory;
}

/** Messages of this client, of which some may have no ID yet. */
interface KnownMessages {
  has(messageId: string): boolean;
  readonly settled?: Promise<unknown> | undefined;
}

/** Messages of this client. */
export class OwnMessages {
  readonly #ids = new Set<string>();
  readonly #open = new Set<Promise<void>>();

  /** Promise of the time when the ID of every message is known; undefined when it is now. */
  get settled(): Promise<unknown> | undefined {
    return this.#open.size === 0 ? undefined : Promise.all(this.#open);
  }

  /** Returns true for the ID of a message of this client. */
  has(messageId: string): boolean {
    return this.#ids.has(messageId);
  }

  /**
   * Adds a message whose ID is not known yet.
   * @returns function that is called with the ID, or without one when the gateway did not accept the message
   */
  begin(): (messageId?: string) => void {
    let resolve = () => {};
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    this.#open.add(promise);
    return (messageId) => {
      if (messageId !== undefined) this.#ids.add(messageId);
      this.#open.delete(promise);
      resolve();
    };
  }
}

/** A turn of another client. */
interface ForeignTurn {
  readonly messageId: string;
  /** Events that wait until the turn is shown. */
  readonly waiting: ReceivedEvent[];
  shown?: ReturnType<ConversationObserver["turn"]>;
}

/**
 * Shows the turns that other clients start in a session. A turn is shown from its first visible event on,
 * because by then its message is stored and can be shown above it.
 */
export class TurnsOfOthers {
  readonly #session: ObservedSession;
  readonly #sessionKey: string;
  readonly #own: KnownMessages;
  readonly #observer: ConversationObserver;
  readonly #turns = new Map<string, ForeignTurn>();
  readonly #remove: () => void;
  #isEnded = false;

  /**
   * @param session - events and history
   * @param sessionKey - full key of the session
   * @param own - messages of this client
   * @param observer - shows the turns
   */
  constructor(
    session: ObservedSession,
    sessionKey: string,
    own: KnownMessages,
    observer: ConversationObserver,
  ) {
    this.#session = session;
    this.#sessionKey = sessionKey;
    this.#own = own;
    this.#observer = observer;
    this.#remove = session.onEvent((event) => this.#receive(event));
  }

  /**
   * Shows the rest of a turn that began before, whose message the reader has already.
   * @param turn - turn that has not ended, as the history has it
   */
  join({ runId, messageId }: ObservedTurn): void {
    const { settled } = this.#own;
    if (settled !== undefined) {
      // The answer to a message that is being sent again may come after the events of its turn.
      void settled.then(() => this.join({ runId, messageId }));
      return;
    }
    if (this.#isEnded || this.#own.has(messageId)) return;
    const turn = this.#turns.get(runId) ?? { messageId, waiting: [] };
    this.#turns.set(runId, turn);
    turn.shown ??= this.#observer.turn(undefined, { runId, messageId });
    // It may have ended since the history was read.
    this.#lookUp(runId, turn);
  }

  /** Stops showing turns. */
  end(): void {
    this.#isEnded = true;
    this.#remove();
  }

  #receive(event: ReceivedEvent): void {
    if (event.name === "resync") for (const each of this.#turns) this.#lookUp(...each);
    if (event.name === "chat.posted" && event.payload.sessionKey === this.#sessionKey) {
      const { text, runId, messageId } = event.payload;
      this.#observer.posted(text, { runId, messageId });
      return;
    }
    if (event.name === "job.changed") {
      if (event.payload.sessionKey === this.#sessionKey) this.#observer.job?.(event.payload);
      return;
    }
    if (event.name === "credential.required" || event.name === "credential.completed") {
      if (event.payload.sessionKey !== this.#sessionKey) return;
      this.#observer.credential("text" in event.payload ? event.payload.text : undefined);
      return;
    }
    if (event.name === "chat.started" && event.payload.sessionKey === this.#sessionKey) {
      const { runId, messageId } = event.payload;
      if (!this.#turns.has(runId)) this.#turns.set(runId, { messageId, waiting: [] });
      return;
    }
    const shownRunId = runIdOf(event) ?? "";
    const turn = this.#turns.get(shownRunId);
    const shown = chatEventOf(event);
    if (turn === undefined || shown === undefined) return;
    const isEnd = shown.type === "final" || shown.type === "error";
    if (!isEnd && screenEventOf(shown) === undefined) return;
    turn.waiting.push(event);
    if (turn.shown !== undefined) this.#flush(turn);
    else if (turn.waiting.length === 1) void this.#show(shownRunId, turn);
  }

  async #show(runId: string, turn: ForeignTurn): Promise<void> {
    const text = await this.#messageOf(turn.messageId).catch(() => undefined);
    // A message of this client that is sent again has the events of its turn before its ID.
    await this.#own.settled;
    if (this.#own.has(turn.messageId)) {
      this.#turns.delete(runId);
      return;
    }
    turn.shown ??= this.#observer.turn(text, { runId, messageId: turn.messageId });
    this.#flush(turn);
  }

  #flush(turn: ForeignTurn): void {
    for (const event of turn.waiting.splice(0)) {
      const shown = chatEventOf(event);
      if (shown === undefined) continue;
      if (shown.type === "final" || shown.type === "error") {
        turn.shown?.finish(resultOf(shown));
        this.#turns.delete(runIdOf(event) ?? "");
        return;
      }
      const onScreen = screenEventOf(shown);
      if (onScreen !== undefined) turn.shown?.show(onScreen);
    }
  }

  /** Shows the result of a turn that ended while events were missing. */
  #lookUp(runId: string, { messageId, shown }: ForeignTurn): void {
    readStoredAnswer(this.#session.readHistory, {
      sessionKey: this.#sessionKey,
      messageId,
      runId,
    })
      .then((answer) => {
        if (answer.state !== "ended" || !this.#turns.delete(runId)) return;
        shown?.finish(resultOf(answer.end));
      })
      // The client reports that it is not connected.
      .catch(() => undefined);
  }

  async #messageOf(messageId: string): Promise<string | undefined> {
    const parameters = { sessionKey: this.#sessionKey, limit: RECENT };
    const { messages } = await this.#session.readHistory(parameters);
    const message = messages.find((each) => each.role === "user" && each.messageId === messageId);
    return message && shownText(message.content);
  }
}

function runIdOf({ payload }: ReceivedEvent): string | undefined {
  const isObject = typeof payload === "object" && payload !== null && "runId" in payload;
  return isObject && typeof payload.runId === "string" ? payload.runId : undefined;
}
