import type { PluginStore } from "@openclaw/plugin-sdk";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Update } from "grammy/types";

/**
 * Parts of albums that arrived at the webhook and did not become a message yet. Telegram sends the next update of a
 * chat only when the one before is answered, so each part is stored and answered while the others are awaited.
 */
export class KeptParts {
  readonly #key: string;
  readonly #store: (() => PluginStore["kv"]) | undefined;
  readonly #parts = new Map<number, Update>();
  #writing: Promise<unknown> = Promise.resolve();

  /**
   * @param accountId - account of the bot
   * @param store - returns the store of the plugin, which keeps the parts for the next start
   */
  constructor(accountId: string, store: (() => PluginStore["kv"]) | undefined) {
    this.#key = `album-parts:${accountId}`;
    this.#store = store;
  }

  /** Returns what an earlier process stored, in the order of arrival. */
  async load(): Promise<readonly Update[]> {
    const stored = await this.#store?.().get(this.#key);
    for (const part of Array.isArray(stored) ? stored : []) {
      if (isUpdate(part)) this.#parts.set(part.update_id, part);
    }
    return [...this.#parts.values()];
  }

  /**
   * Stores a part.
   * @param update - the part
   */
  async add(update: Update): Promise<void> {
    this.#parts.set(update.update_id, update);
    await this.#write();
  }

  /**
   * Removes parts whose message the host has stored.
   * @param updates - the parts
   */
  async remove(updates: readonly Update[]): Promise<void> {
    for (const { update_id: id } of updates) this.#parts.delete(id);
    await this.#write();
  }

  /** Writes one state after another, so that an older one does not replace a newer one. */
  #write(): Promise<void> {
    const written = this.#writing.then(async () => {
      const parts: JsonValue = JSON.parse(JSON.stringify([...this.#parts.values()]));
      await this.#store?.().set(this.#key, parts);
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }
}

function isUpdate(value: unknown): value is Update {
  return typeof value === "object" && value !== null && "update_id" in value && "message" in value;
}
