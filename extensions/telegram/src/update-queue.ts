import type { Update } from "grammy/types";
import { ALBUM_QUIET_MS, albumOf } from "./album.js";
import type { KeptParts } from "./kept-parts.js";

/** Updates that wait for the host: one, or the parts of an album. */
export interface WaitingUpdates {
  readonly updates: readonly Update[];
  /** Called when the host has stored the message of the updates, or does not need it. */
  accepted(): void;
}

/** Dependencies of {@link UpdateQueue}. */
export interface UpdateQueueDependencies {
  readonly parts: Pick<KeptParts, "load" | "add" | "remove">;
  /**
   * Called when parts that became a message cannot be removed; the host recognises the message when they come again.
   * @param error - the failure
   */
  onFailure(error: unknown): void;
}

interface OpenAlbum {
  readonly updates: Update[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * Updates that Telegram sends to the webhook. A request is answered once its update is accepted, that of a part of an
 * album once the part is stored: Telegram sends the next part only then.
 */
export class UpdateQueue {
  readonly #dependencies: UpdateQueueDependencies;
  readonly #waiting: WaitingUpdates[] = [];
  readonly #albums = new Map<string, OpenAlbum>();
  #wake: (() => void) | undefined;

  /** @param dependencies - stored parts of albums */
  constructor(dependencies: UpdateQueueDependencies) {
    this.#dependencies = dependencies;
  }

  /** Collects the parts of albums that an earlier process stored. */
  async restore(): Promise<void> {
    for (const update of await this.#dependencies.parts.load()) this.#collect(update);
  }

  /**
   * Adds an update. The parts of an album wait for each other.
   * @param update - body of a request
   * @returns promise that settles when the request can be answered
   */
  async add(update: Update): Promise<void> {
    if (albumOf(update) !== undefined) {
      await this.#dependencies.parts.add(update);
      this.#collect(update);
      return;
    }
    // What the sender of an album writes next comes after it.
    for (const [album, open] of this.#albums) {
      if (open.updates.some((part) => senderOf(part) === senderOf(update))) this.#close(album);
    }
    await new Promise<void>((accepted) => this.#push({ updates: [update], accepted }));
  }

  /**
   * Returns the updates in order, until a signal aborts.
   * @param signal - ends the stream
   */
  async *read(signal: AbortSignal): AsyncGenerator<WaitingUpdates> {
    while (!signal.aborted) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  #push(updates: WaitingUpdates): void {
    this.#waiting.push(updates);
    this.#wake?.();
  }

  #collect(update: Update): void {
    const album = albumOf(update);
    if (album === undefined) return;
    const open = this.#albums.get(album) ?? { updates: [], timer: undefined };
    this.#albums.set(album, open);
    open.updates.push(update);
    clearTimeout(open.timer);
    open.timer = setTimeout(() => this.#close(album), ALBUM_QUIET_MS);
  }

  #close(album: string): void {
    const { parts, onFailure } = this.#dependencies;
    const open = this.#albums.get(album);
    if (open === undefined) return;
    clearTimeout(open.timer);
    this.#albums.delete(album);
    const { updates } = open;
    this.#push({ updates, accepted: () => void parts.remove(updates).catch(onFailure) });
  }
}

/** Returns the sender of a message in its chat; undefined for an update that is not a message. */
function senderOf({ message }: Update): string | undefined {
  return message && `${message.chat.id} ${message.from?.id}`;
}
