import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";

/** Version of a hook file that was in force. */
export interface GoodVersion {
  readonly hash: string;
  readonly text: string;
}

/** Decisions of the operator and the last valid versions of hook files, which outlast a restart. */
export class HookState {
  readonly #kv: () => PluginKeyValueStore;
  readonly #logger: Logger;

  /**
   * @param kv - returns the store of the plugin
   * @param logger - receives failures of the store
   */
  constructor(kv: () => PluginKeyValueStore, logger: Logger) {
    this.#kv = kv;
    this.#logger = logger;
  }

  /** Returns the hooks that the operator enabled or disabled, by name. */
  async enabled(): Promise<ReadonlyMap<string, boolean>> {
    const prefix = "enabled/";
    const entries = (await this.#read((kv) => kv.list(prefix))) ?? [];
    return new Map(
      entries.map(({ key, value }): [string, boolean] => [
        key.slice(prefix.length),
        value === true,
      ]),
    );
  }

  /**
   * @param name - name of a hook
   * @param enabled - new state
   */
  async setEnabled(name: string, enabled: boolean): Promise<void> {
    await this.#kv().set(`enabled/${name}`, enabled);
  }

  /** @param path - real path of a file */
  async approvedHash(path: string): Promise<string | undefined> {
    const value = await this.#read((kv) => kv.get(`approved/${path}`));
    return typeof value === "string" ? value : undefined;
  }

  /**
   * @param path - real path of a file
   * @param hash - hash of the approved content
   */
  async approve(path: string, hash: string): Promise<void> {
    await this.#kv().set(`approved/${path}`, hash);
  }

  /** @param path - real path of a file */
  async goodVersion(path: string): Promise<GoodVersion | undefined> {
    const value = await this.#read((kv) => kv.get(`good/${path}`));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const { hash, text } = value;
    return typeof hash === "string" && typeof text === "string" ? { hash, text } : undefined;
  }

  /** A host that only inspects plugins has no store: nothing is approved there, and every hook is as written. */
  async #read<Value>(
    read: (kv: PluginKeyValueStore) => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      return await read(this.#kv());
    } catch (error) {
      if (error instanceof RuntimeCapabilityError) return undefined;
      throw error;
    }
  }

  /**
   * Keeps a version that is in force.
   * @param path - real path of a file
   * @param version - its content
   */
  async keep(path: string, version: GoodVersion): Promise<void> {
    try {
      const known = await this.goodVersion(path);
      if (known?.hash !== version.hash) await this.#kv().set(`good/${path}`, { ...version });
    } catch (error) {
      // The hooks work without it until the next restart.
      this.#logger.warn(`the version of ${path} was not kept: ${String(error)}`);
    }
  }
}
