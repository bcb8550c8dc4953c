import type { UnitOfWork } from "../database/unit-of-work.js";
import { type Checkpoints, CheckpointTable } from "./checkpoints.js";
import { type Compactions, CompactionTable } from "./compactions.js";
import { type Inbox, InboxTable } from "./inbox.js";
import { type LostMessages, LostMessageTable } from "./lost-messages.js";
import { type Outbox, OutboxTable } from "./outbox.js";
import { type MessageOutcomes, MessageOutcomeTable } from "./outcomes.js";
import { type Responses, ResponseTable } from "./responses.js";
import { type Transcript, TranscriptTable } from "./transcript.js";
import type { TranscriptCache } from "./transcript-cache.js";

/** Inbound and outbound messages, and their conversations. */
export interface MessagesContext {
  /** Inbound messages. */
  readonly inbox: Inbox;
  /** Replies to deliver to channels. */
  readonly outbox: Outbox;
  /** Messages of each conversation. */
  readonly transcript: Transcript;
  /** First entry of each transcript that is sent to models. */
  readonly compactions: Compactions;
  /** States of conversations to which users return. */
  readonly checkpoints: Checkpoints;
  /** Outcomes of messages, for callers that repeat them. */
  readonly outcomes: MessageOutcomes;
  /** Responses that clients can continue. */
  readonly responses: Responses;
  /** Messages that plugins of channels lost. */
  readonly lost: LostMessages;
}

/** The messages of a database or transaction. Each repository is created on first use. */
export class UnitMessages implements MessagesContext {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;
  readonly #cache: TranscriptCache | undefined;
  #inbox: Inbox | undefined;
  #outbox: Outbox | undefined;
  #transcript: Transcript | undefined;
  #compactions: Compactions | undefined;
  #checkpoints: Checkpoints | undefined;
  #outcomes: MessageOutcomes | undefined;
  #responses: Responses | undefined;
  #lost: LostMessages | undefined;

  /**
   * @param unit - the database or transaction
   * @param newId - creates the ids of new rows, which sort by the given time
   * @param cache - entries of transcripts that were read before; none for a transaction
   */
  constructor(unit: UnitOfWork, newId: (now: number) => string, cache?: TranscriptCache) {
    this.#unit = unit;
    this.#newId = newId;
    this.#cache = cache;
  }

  get inbox(): Inbox {
    this.#inbox ??= new InboxTable(this.#unit);
    return this.#inbox;
  }

  get outbox(): Outbox {
    this.#outbox ??= new OutboxTable(this.#unit, this.#newId);
    return this.#outbox;
  }

  get transcript(): Transcript {
    this.#transcript ??= new TranscriptTable(this.#unit, this.#newId, this.#cache);
    return this.#transcript;
  }

  get compactions(): Compactions {
    this.#compactions ??= new CompactionTable(this.#unit);
    return this.#compactions;
  }

  get checkpoints(): Checkpoints {
    this.#checkpoints ??= new CheckpointTable(this.#unit);
    return this.#checkpoints;
  }

  get outcomes(): MessageOutcomes {
    this.#outcomes ??= new MessageOutcomeTable(this.#unit);
    return this.#outcomes;
  }

  get responses(): Responses {
    this.#responses ??= new ResponseTable(this.#unit);
    return this.#responses;
  }

  get lost(): LostMessages {
    this.#lost ??= new LostMessageTable(this.#unit);
    return this.#lost;
  }
}
