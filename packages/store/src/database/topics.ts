import { StoreArgumentError, TransactionMisuseError } from "../errors.js";
import { withoutLease } from "./fence.js";

/** Most bytes of a text; a topic tells that something has changed, and what changed is read from its table. */
const MOST_BYTES = 1024;
/** Most bytes of a whisper: a notification has at most 7 KiB (SCALE-020), with the node and the topic. */
export const MOST_WHISPERED_BYTES = 7 * 1024 - 192;
const TOPIC = /^[a-z][a-z0-9:-]{0,62}$/u;

/**
 * Topic of each node: it was without the database for so long that the notices of other nodes may be lost, so that those
 * who wait for one look into the tables.
 */
export const NOTICES_LOST = "notices-lost";

/** Origin of a notice. */
export interface NoticeOrigin {
  /** False for a notice of another node. */
  readonly isOwn: boolean;
}

/**
 * Receiver of the notices of a topic. It must not throw, and starts longer work itself.
 * @param text - the text that was published
 * @param origin - the node that published it
 */
type TopicListener = (text: string, origin: NoticeOrigin) => void;

/**
 * Notices between parts of a host, and between nodes, that use one database (SCALE-507). A text is delivered after the
 * commit of the transaction that published it, in the order of publishing, at most once, and to those who are subscribed
 * then; equal notices of one transaction on one topic are one. A text that no one receives is lost, so what it announces must
 * be in a table too.
 */
export interface Topics {
  /**
   * Publishes a text, when the transaction commits; at once outside of one.
   * @param topic - at most 63 lower-case letters, digits, `:` and `-`, the first one a letter
   * @param text - at most 1 KiB
   * @throws StoreArgumentError for an invalid topic or text
   */
  publish(topic: string, text?: string): void;
  /**
   * Tells the other nodes a text at once, which is never stored: it is lost when they do not listen, when the server passes
   * on no announcements, and on a host that has its database alone.
   * @param topic - as for {@link Topics.publish}
   * @param text - at most 6976 bytes
   * @throws StoreArgumentError for an invalid topic or text
   * @throws TransactionMisuseError on the store of a transaction
   */
  whisper(topic: string, text: string): void;
  /**
   * Receives the notices of a topic.
   * @param listener - is called with each text, never before the call that published it has returned
   * @returns ends it; nothing is received any more, also no notice that is already published
   * @throws StoreArgumentError for an invalid topic
   * @throws TransactionMisuseError on the store of a transaction
   */
  subscribe(topic: string, listener: TopicListener): () => void;
}

/** A text that was published on a topic. */
export interface Notice {
  readonly topic: string;
  readonly text: string;
}

/** The topics of a database. */
export class DatabaseTopics implements Topics {
  readonly #listeners = new Map<string, Set<TopicListener>>();
  readonly #store: (notices: readonly Notice[]) => Promise<void>;
  #published = (): void => undefined;
  #whisper = (_topic: string, _text: string): void => undefined;

  /** @param store - stores notices that no transaction stored, for other nodes */
  constructor(store: (notices: readonly Notice[]) => Promise<void>) {
    this.#store = store;
  }

  /** Calls a function after each commit that published notices. */
  onPublished(listener: () => void): void {
    this.#published = listener;
  }

  /** Sends whispers by a function. */
  onWhisper(send: (topic: string, text: string) => void): void {
    this.#whisper = send;
  }

  whisper(topic: string, text: string): void {
    requireNotice(topic, text, MOST_WHISPERED_BYTES);
    this.#whisper(topic, text);
  }

  publish(topic: string, text = ""): void {
    requireNotice(topic, text);
    this.committed([{ topic, text }], false);
  }

  /**
   * Delivers what a transaction of this process published; call it after the commit.
   * @param areStored - false for notices that are still to be stored for other nodes
   */
  committed(notices: readonly Notice[], areStored: boolean): void {
    if (notices.length === 0) return;
    if (areStored) this.#published();
    else this.#storeAlone(notices);
    this.deliver(notices);
  }

  #storeAlone(notices: readonly Notice[]): void {
    // What is lost here is found by those who look without a notice.
    void this.#store(notices).then(this.#published, () => undefined);
  }

  subscribe(topic: string, listener: TopicListener): () => void {
    requireNotice(topic, "");
    const listeners = this.#listeners.get(topic) ?? new Set();
    // A function may subscribe more than once.
    const own: TopicListener = (text, origin) => listener(text, origin);
    this.#listeners.set(topic, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) {
        this.#listeners.delete(topic);
      }
    };
  }

  /**
   * Delivers notices to those who are subscribed.
   * @param notices - notices, in order
   * @param origin - the node that published them; this one when absent
   */
  deliver(notices: readonly Notice[], origin: NoticeOrigin = { isOwn: true }): void {
    for (const { topic, text } of notices) {
      if (!this.#listeners.has(topic)) continue;
      // The publisher first does what it does after its commit, as with a server that sends the text.
      withoutLease(() =>
        setImmediate(() => {
          for (const listener of [...(this.#listeners.get(topic) ?? [])]) {
            listener(text, origin);
          }
        }),
      );
    }
  }
}

/** The topics of a transaction. */
export class TransactionTopics implements Topics {
  readonly #notices: Notice[] = [];
  readonly #refuseEnded: () => void;

  /** @param refuseEnded - throws when the transaction has ended */
  constructor(refuseEnded: () => void) {
    this.#refuseEnded = refuseEnded;
  }

  /** Published notices, in order. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  publish(topic: string, text = ""): void {
    this.#refuseEnded();
    requireNotice(topic, text);
    const isKnown = this.#notices.some((notice) => notice.topic === topic && notice.text === text);
    if (!isKnown) this.#notices.push({ topic, text });
  }

  whisper(): never {
    throw new TransactionMisuseError(
      "store: topics.whisper() was called on the store of a transaction; call it on the store that began it",
    );
  }

  subscribe(): never {
    throw new TransactionMisuseError(
      "store: topics.subscribe() was called on the store of a transaction; call it on the store that began it",
    );
  }
}

function requireNotice(topic: string, text: string, most = MOST_BYTES): void {
  const call = most === MOST_BYTES ? "topics.publish" : "topics.whisper";
  if (!TOPIC.test(topic)) {
    const expected = `a lower-case letter, then at most 62 lower-case letters, digits, ":" or "-"`;
    throw new StoreArgumentError(call, "topic", expected, topic);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return;
  throw new StoreArgumentError(call, `the text of ${topic}`, `at most ${most} bytes`, bytes);
}
