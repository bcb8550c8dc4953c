import { setTimeout as wait } from "node:timers/promises";
import type { ChannelContext } from "@openclaw/plugin-sdk/channel-core";
import { type Api, GrammyError } from "grammy";
import type { Update } from "grammy/types";
import { ALBUM_QUIET_MS, albumOf } from "./album.js";
import { RECEIVED_UPDATES } from "./incoming.js";

/** Time that Telegram waits for an update before it answers without one, in seconds. */
const POLL_S = 30;
/** Maximum number of times that a poll waits for further parts of an album. */
const MOST_WAITS = 10;

type ApiSignal = NonNullable<Parameters<Api["getUpdates"]>[1]>;

/** Updates that the process asks Telegram for. */
export class UpdatePolls {
  readonly #api: Api;
  readonly #context: Pick<ChannelContext, "signal" | "connected">;
  #offset: number | undefined;

  /**
   * @param api - Bot API
   * @param context - signal of the account
   */
  constructor(api: Api, context: Pick<ChannelContext, "signal" | "connected">) {
    this.#api = api;
    this.#context = context;
  }

  /**
   * Returns the updates, until the signal aborts: each alone, and the parts of an album together. They are confirmed to
   * Telegram once all that came with them were taken.
   */
  async *read(): AsyncGenerator<readonly Update[]> {
    const { signal, connected } = this.#context;
    while (!signal.aborted) {
      let updates: readonly Update[];
      try {
        updates = await this.#wholeAlbums(await this.#poll(POLL_S));
      } catch (error) {
        if (!(error instanceof GrammyError) || error.error_code !== 429) throw error;
        await wait((error.parameters.retry_after ?? 1) * 1000, undefined, { signal });
        continue;
      }
      connected();
      const taken = new Set<string>();
      for (const update of updates) {
        const album = albumOf(update);
        if (album === undefined) yield [update];
        else if (!taken.has(album)) yield updates.filter((each) => albumOf(each) === album);
        if (album !== undefined) taken.add(album);
        this.#offset = update.update_id + 1;
      }
    }
  }

  /** Asks for updates that are not confirmed yet again, until no further part of an album arrives. */
  async #wholeAlbums(updates: readonly Update[]): Promise<readonly Update[]> {
    const { signal } = this.#context;
    let known = updates;
    for (let count = 0; count < MOST_WAITS; count += 1) {
      const parts = partsIn(known);
      if (parts === 0) return known;
      await wait(ALBUM_QUIET_MS, undefined, { signal });
      known = await this.#poll(0);
      if (partsIn(known) === parts) return known;
    }
    return known;
  }

  #poll(timeout: number): Promise<Update[]> {
    const request = { timeout, allowed_updates: [...RECEIVED_UPDATES] };
    const next = this.#offset === undefined ? request : { ...request, offset: this.#offset };
    // grammY declares the signal by its name in a polyfill: the same interface.
    return this.#api.getUpdates(next, this.#context.signal as ApiSignal);
  }
}

function partsIn(updates: readonly Update[]): number {
  return updates.filter((update) => albumOf(update) !== undefined).length;
}
