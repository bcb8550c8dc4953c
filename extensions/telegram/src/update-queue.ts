import type { Update } from "grammy/types";
import { ALBUM_QUIET_MS, albumOf } from "./album.js";

/** Updates that wait for the host: one, or the parts of an album. */
export interface WaitingUpdates {
  readonly updates: readonly Update[];
  /** Called when the host has stored the message of the updates, or does not need it. */
  accepted(): void;
}

interface OpenAlbum {
  readonly updates: Update[];
  readonly accepted: (() => void)[];
  timer: NodeJS.Timeout | undefined;
}

/** Updates that Telegram sends to the webhook; each request is answered once its update is accepted. */
export class UpdateQueue {
  readonly #waiting: WaitingUpdates[] = [];
  readonly #albums = new Map<string, OpenAlbum>();
  #wake: (() => void) | undefined;

  /**
   * Adds an update. The parts of an album wait for each other.
   * @param update - body of a request
   * @returns promise that settles when the update is accepted
   */
  add(update: Update): Promise<void> {
    return new Promise((resolve) => {
      const album = albumOf(update);
      if (album === undefined) this.#push({ updates: [update], accepted: resolve });
      else this.#collect(album, update, resolve);
    });
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

  #collect(album: string, update: Update, resolve: () => void): void {
    const open = this.#albums.get(album) ?? { updates: [], accepted: [], timer: undefined };
    this.#albums.set(album, open);
    open.updates.push(update);
    open.accepted.push(resolve);
    clearTimeout(open.timer);
    open.timer = setTimeout(() => {
      this.#albums.delete(album);
      const { updates, accepted } = open;
      this.#push({
        updates,
        accepted() {
          for (const settle of accepted) settle();
        },
      });
    }, ALBUM_QUIET_MS);
  }
}
