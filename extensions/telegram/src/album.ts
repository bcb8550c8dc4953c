import type { Update } from "grammy/types";
import type { ReadUpdate } from "./incoming.js";

/** Time after the last part of an album in which another part may arrive, in milliseconds. */
export const ALBUM_QUIET_MS = 2000;
/** Maximum number of albums whose parts are remembered. */
const MOST_ALBUMS = 200;

/**
 * Returns the album that an update belongs to. Telegram sends each photo of an album as a separate message.
 * @param update - the update
 * @returns undefined for an update that is not a part of an album
 */
export function albumOf({ message }: Update): string | undefined {
  const { media_group_id: album, chat } = message ?? {};
  return album === undefined || chat === undefined ? undefined : `${chat.id} ${album}`;
}

/**
 * Returns one message with the text and the files of all parts of an album (EXT-241).
 * @param parts - parts in any order, possibly several times
 */
export function mergedAlbum(parts: readonly ReadUpdate[]): ReadUpdate | undefined {
  const byNumber = new Map(parts.map((part) => [part.number, part]));
  const [first, ...others] = [...byNumber.values()].sort((one, other) => one.number - other.number);
  if (first === undefined || others.length === 0) return first;
  const all = [first, ...others];
  return {
    ...first,
    files: all.flatMap(({ files }) => files),
    message: {
      ...first.message,
      content: all
        .map(({ message }) => message.content)
        .filter((text) => text !== "")
        .join("\n"),
      isMention: all.some(({ message }) => message.isMention === true),
    },
  };
}

/** Parts of albums that became messages, so that a part that Telegram sends again does not become another one. */
export class SeenParts {
  readonly #albums = new Map<string, Set<number>>();

  /**
   * Returns the parts that did not become a message yet, and remembers them.
   * @param album - from {@link albumOf}
   * @param parts - parts that arrived
   */
  unseen(album: string, parts: readonly ReadUpdate[]): readonly ReadUpdate[] {
    const seen = this.#albums.get(album) ?? new Set();
    this.#albums.delete(album);
    this.#albums.set(album, seen);
    const [oldest] = this.#albums.keys();
    if (this.#albums.size > MOST_ALBUMS && oldest !== undefined) this.#albums.delete(oldest);
    const fresh = parts.filter(({ number }) => !seen.has(number));
    for (const { number } of fresh) seen.add(number);
    return fresh;
  }
}
