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
  /** IDs of parts of albums that were returned with the first part, and come again. */
  readonly #taken = new Set<number>();

  /**
   * @param api - Bot API
   * @param context - signal of the account
   */
  constructor(api: Api, context: Pick<ChannelContext, "signal" | "connected">) {
    this.#api = api;
    this.#context = context;
  }

  /**
   * Returns the updates, until the signal aborts: each alone, and the parts of an album together. An update is confirmed
   * to Telegram once it was taken.
   */
  async *read(): AsyncGenerator<readonly Update[]> {
    const { signal, connected } = this.#context;
    while (!signal.aborted) {
      const updates = await this.#poll(POLL_S);
      connected();
      for (const update of updates) {
        const album = albumOf(update);
        if (album === undefined) yield [update];
        else if (!this.#taken.delete(update.update_id)) yield await this.#album(album, update);
        this.#offset = update.update_id + 1;
      }
    }
  }

  /**
   * Returns all parts of an album. Telegram gives at most 100 updates at a time, so they are asked for from the first
   * part on, until no further one arrives.
   */
  async #album(album: string, first: Update): Promise<readonly Update[]> {
    this.#offset = first.update_id;
    let parts: readonly Update[] = [first];
    for (let count = 0; count < MOST_WAITS; count += 1) {
      await wait(ALBUM_QUIET_MS, undefined, { signal: this.#context.signal });
      const known = (await this.#poll(0)).filter((update) => albumOf(update) === album);
      if (known.length <= parts.length) break;
      parts = known;
    }
    for (const { update_id: id } of parts) if (id !== first.update_id) this.#taken.add(id);
    return parts;
  }

  /** Asks for updates, again after the time for which Telegram asks. */
  async #poll(timeout: number): Promise<Update[]> {
    const { signal } = this.#context;
    const request = { timeout, allowed_updates: [...RECEIVED_UPDATES] };
    for (;;) {
      const next = this.#offset === undefined ? request : { ...request, offset: this.#offset };
      try {
        // grammY declares the signal by its name in a polyfill: the same interface.
        return await this.#api.getUpdates(next, signal as ApiSignal);
      } catch (error) {
        if (!(error instanceof GrammyError) || error.error_code !== 429) throw error;
        await wait((error.parameters.retry_after ?? 1) * 1000, undefined, { signal });
      }
    }
  }
}
