import { withoutLease } from "./fence.js";
import { lastNotice, noticesAfter } from "./notices.js";
import { NOTICES_LOST } from "./topics.js";
import type { DatabaseUnit } from "./unit-of-work.js";

const POLL_MS = 1000;
/** Notices of this time are announced together. */
const ANNOUNCED_MS = 20;

/** Announces notices to the readers of other nodes, and hears of theirs. */
export interface NoticeWire {
  /** Tells the other nodes that there are notices. */
  announce(): Promise<void>;
  /**
   * Tells the other nodes a text, which may be lost.
   * @param text - not empty
   */
  tell(text: string): Promise<void>;
  /**
   * Hears of the announcements of other nodes, until {@link NoticeWire.close}; a wire that is not there is not missed.
   * @param heard - called with each text that was told, and with an empty one for an announcement
   */
  hear(heard: (text: string) => void): Promise<void>;
  close(): Promise<void>;
}

/**
 * Delivers the notices of other nodes (SCALE-019): when they are announced, and otherwise each second, so that a lost
 * announcement, or a server that has none, costs time only.
 */
export class NoticeReader {
  readonly #unit: DatabaseUnit;
  readonly #wire: NoticeWire;
  #last: number;
  #reading: Promise<void> | undefined;
  #isAgain = false;
  #isOpen = true;
  #poll: NodeJS.Timeout | undefined;
  #announcement: NodeJS.Timeout | undefined;

  private constructor(unit: DatabaseUnit, wire: NoticeWire, last: number) {
    this.#unit = unit;
    this.#wire = wire;
    this.#last = last;
  }

  /**
   * Begins after the newest notice.
   * @param wire - announces notices
   */
  static async open(unit: DatabaseUnit, wire: NoticeWire): Promise<NoticeReader> {
    const reader = new NoticeReader(unit, wire, await lastNotice(unit));
    unit.topics.onPublished(() => reader.#announceSoon());
    unit.topics.onWhisper((topic, text) => {
      if (!reader.#isOpen) return;
      void withoutLease(() => wire.tell(`${unit.nodeId} ${topic} ${text}`));
    });
    await wire.hear((text) => {
      if (text === "") reader.#read();
      else reader.#hear(text);
    });
    withoutLease(() => reader.#pollLater());
    return reader;
  }

  /** Ends reading and hearing. */
  async close(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#poll);
    clearTimeout(this.#announcement);
    await this.#wire.close();
    await this.#reading;
  }

  /** Delivers a whisper of another node. */
  #hear(whisper: string): void {
    if (!this.#isOpen) return;
    const [nodeId = "", topic = ""] = whisper.split(" ", 2);
    if (nodeId === this.#unit.nodeId) return;
    const text = whisper.slice(nodeId.length + topic.length + 2);
    this.#unit.topics.deliver([{ topic, text }], { isOwn: false });
  }

  #announceSoon(): void {
    if (!this.#isOpen) return;
    this.#announcement ??= withoutLease(() =>
      setTimeout(() => {
        this.#announcement = undefined;
        void this.#wire.announce();
      }, ANNOUNCED_MS),
    );
  }

  #pollLater(): void {
    this.#poll = setTimeout(() => {
      this.#read();
      if (this.#isOpen) this.#pollLater();
    }, POLL_MS);
  }

  /** Reads once more when it was called meanwhile. */
  #read(): void {
    if (this.#reading !== undefined) {
      this.#isAgain = true;
      return;
    }
    if (!this.#isOpen) return;
    this.#reading = this.#readAll()
      // The next poll reads what a lost connection kept back.
      .catch(() => undefined)
      .finally(() => {
        this.#reading = undefined;
        if (!this.#isAgain) return;
        this.#isAgain = false;
        this.#read();
      });
  }

  async #readAll(): Promise<void> {
    for (;;) {
      const { notices, areLost } = await noticesAfter(this.#unit, this.#last);
      this.#last = notices.at(-1)?.number ?? this.#last;
      if (!this.#isOpen) return;
      const { topics } = this.#unit;
      topics.deliver(
        notices.filter(({ isOwn }) => !isOwn),
        { isOwn: false },
      );
      if (areLost) topics.deliver([{ topic: NOTICES_LOST, text: "" }]);
      if (notices.length === 0) return;
    }
  }
}
