import { randomBytes } from "node:crypto";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import { LobsterError } from "../errors.js";

const NAME = "keys";
/** Age in milliseconds from which a key is replaced. */
const ROTATE_AFTER_MS = 30 * 24 * 3_600_000;

/** Key of tokens and continuations. */
export interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

interface StoredKey {
  readonly id: string;
  /** Base64. */
  readonly bytes: string;
  readonly createdAt: number;
  /** Time in milliseconds since the epoch until which it is accepted; absent for the current key. */
  readonly acceptedUntil?: number;
}

/**
 * Keys of an installation, stored as a secret of the plugin (LOB-023). The first key is made when one is needed; a key is
 * replaced after 30 days, and the previous ones are accepted until the last token that they signed has expired.
 */
export class Keys {
  readonly #secrets: PluginSecretStore | undefined;
  readonly #tokenTtlMs: number;
  readonly #now: () => number;

  /**
   * @param secrets - secrets of the plugin; undefined on a host without a master key
   * @param tokenTtlMs - longest life of a token
   * @param now - returns milliseconds since the epoch
   */
  constructor(secrets: PluginSecretStore | undefined, tokenTtlMs: number, now: () => number) {
    this.#secrets = secrets;
    this.#tokenTtlMs = tokenTtlMs;
    this.#now = now;
  }

  /** Returns the key for new tokens. */
  async current(): Promise<Key> {
    const [newest] = await this.#load();
    return keyOf(newest ?? (await this.#add([])));
  }

  /**
   * Returns an accepted key.
   * @param id - ID that a token or a continuation names
   */
  async withId(id: string): Promise<Key | undefined> {
    const now = this.#now();
    const found = (await this.#load()).find(
      (key) => key.id === id && (key.acceptedUntil ?? now) >= now,
    );
    return found && keyOf(found);
  }

  /**
   * Replaces the current key when it is old, and removes keys that are not accepted any more.
   * @param isForced - true replaces it at any age
   */
  async rotate(isForced = false): Promise<void> {
    const now = this.#now();
    const [newest, ...older] = await this.#load();
    if (newest === undefined) return;
    const kept = older.filter(({ acceptedUntil = 0 }) => acceptedUntil >= now);
    if (isForced || newest.createdAt + ROTATE_AFTER_MS <= now) {
      await this.#add([{ ...newest, acceptedUntil: now + this.#tokenTtlMs }, ...kept]);
    } else if (kept.length < older.length) {
      await this.#store([newest, ...kept]);
    }
  }

  async #add(older: readonly StoredKey[]): Promise<StoredKey> {
    const key = {
      id: randomBytes(4).toString("hex"),
      bytes: randomBytes(32).toString("base64"),
      createdAt: this.#now(),
    };
    await this.#store([key, ...older]);
    return key;
  }

  async #load(): Promise<readonly StoredKey[]> {
    const text = await this.#required().get(NAME);
    return text === undefined ? [] : (JSON.parse(text) as readonly StoredKey[]);
  }

  async #store(keys: readonly StoredKey[]): Promise<void> {
    await this.#required().set(NAME, JSON.stringify(keys));
  }

  #required(): PluginSecretStore {
    if (this.#secrets !== undefined) return this.#secrets;
    throw new LobsterError(
      "runtime_error",
      "this host has no secrets for plugins, so a run cannot be suspended; use a workflow without gates",
    );
  }
}

function keyOf({ id, bytes }: StoredKey): Key {
  return { id, bytes: Buffer.from(bytes, "base64") };
}
