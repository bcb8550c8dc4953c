import type { Update } from "grammy/types";
import type { ReadUpdate } from "./incoming.js";

/** Time after the last part of an album in which another part may arrive, in milliseconds. */
export const ALBUM_QUIET_MS = 2000;
/** Note for the model in a part that arrives after the others. */
const LATE = "[Another part of the album before]";
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
function mergedAlbum(parts: readonly ReadUpdate[]): ReadUpdate | undefined {
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

/** Parts of an album that became a message. */
interface SeenAlbum {
  readonly numbers: Set<number>;
  /** True when one of them is for the bot, and so the album is. */
  isMention: boolean;
}

/** Parts of albums that became messages, so that a part that Telegram sends again does not become another one. */
export class SeenParts {
  readonly #albums = new Map<string, SeenAlbum>();

  /**
   * Returns the message of the parts that did not become one yet, and remembers them. It has the ID of the album, so
   * that the host adds a part that arrives late to the turn of the others (TURN-740).
   * @param album - from {@link albumOf}
   * @param parts - parts that arrived
   */
  merge(album: string, parts: readonly ReadUpdate[]): ReadUpdate | undefined {
    const known = this.#albums.get(album);
    const fresh = parts.filter(({ number }) => known?.numbers.has(number) !== true);
    const merged = mergedAlbum(fresh);
    const { isMention = false } = merged?.message ?? {};
    const seen = known ?? { numbers: new Set(), isMention: false };
    for (const { number } of fresh) seen.numbers.add(number);
    seen.isMention ||= isMention;
    this.#remember(album, seen);
    if (merged === undefined) return undefined;
    const { message } = merged;
    const content =
      known === undefined ? message.content : [LATE, message.content].filter(Boolean).join("\n");
    return {
      ...merged,
      message: { ...message, content, isMention: seen.isMention, albumId: album },
    };
  }

  #remember(album: string, seen: SeenAlbum): void {
    this.#albums.delete(album);
    this.#albums.set(album, seen);
    const [oldest] = this.#albums.keys();
    if (this.#albums.size > MOST_ALBUMS && oldest !== undefined) this.#albums.delete(oldest);
  }
}
