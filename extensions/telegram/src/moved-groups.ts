import type { PluginStore } from "@openclaw/plugin-sdk";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Update } from "grammy/types";

/** Chat of Telegram, as the host knows it. */
export interface KnownChats {
  /**
   * Returns the ID under which the host knows a chat: for a supergroup, that of the group that it was.
   * @param id - ID of the chat in Telegram
   */
  hostId(id: string): string;
}

/**
 * Groups that became supergroups. Telegram gives such a group a new ID; the host keeps the first one, so that the
 * rights, the conversation, grants and schedules of the group stay with it (EXT-240).
 */
export class MovedGroups implements KnownChats {
  readonly #key: string;
  readonly #store: (() => PluginStore["kv"]) | undefined;
  readonly #current = new Map<string, string>();
  readonly #first = new Map<string, string>();

  /**
   * @param accountId - account of the bot
   * @param store - returns the store of the plugin, which keeps the IDs for the next start
   */
  constructor(accountId: string, store: (() => PluginStore["kv"]) | undefined) {
    this.#key = `moved-groups:${accountId}`;
    this.#store = store;
  }

  /** Reads what earlier processes stored. */
  async load(): Promise<void> {
    const stored = await this.#store?.().get(this.#key);
    if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return;
    for (const [from, to] of Object.entries(stored)) {
      if (typeof to === "string") this.#remember(from, to);
    }
  }

  /**
   * Returns the ID of a chat in Telegram.
   * @param id - ID under which the host knows it
   */
  telegramId(id: string): string {
    return this.#current.get(id) ?? id;
  }

  hostId(id: string): string {
    return this.#first.get(id) ?? id;
  }

  /**
   * Stores that a group became a supergroup.
   * @param from - ID of the group
   * @param to - ID of the supergroup
   */
  async add(from: string, to: string): Promise<void> {
    if (this.#current.get(from) === to) return;
    this.#remember(from, to);
    const all: JsonValue = Object.fromEntries(this.#current);
    await this.#store?.().set(this.#key, all);
  }

  #remember(from: string, to: string): void {
    this.#current.set(from, to);
    this.#first.set(to, from);
  }
}

/**
 * Returns the IDs in the service message with which a group becomes a supergroup: one is sent in either chat.
 * @param update - the update
 */
export function moveIn({ message }: Update): { from: string; to: string } | undefined {
  if (message === undefined) return undefined;
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (to !== undefined) return { from: String(chat.id), to: String(to) };
  return from === undefined ? undefined : { from: String(from), to: String(chat.id) };
}
