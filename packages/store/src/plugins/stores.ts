import type { PluginSecretStore, PluginStore } from "@openclaw/plugin-sdk/store";
import type { Store } from "../store.js";
import { PluginDatabases, type PluginDatabasesOptions } from "./databases.js";

/** Options for the stores of a host's plugins. */
export interface PluginStoresOptions extends Omit<PluginDatabasesOptions, "isReadOnly"> {
  /** The host's own store, which contains the values by key. */
  readonly store: Store;
  /** Secrets of the plugins; without it `secrets` is missing in their stores. */
  readonly secrets?: PluginSecrets | undefined;
}

/** Secrets of the plugins of a host. */
export interface PluginSecrets {
  /** Returns the secrets of one plugin. */
  of(pluginId: string): PluginSecretStore;
  /**
   * Deletes all secrets of a plugin.
   * @param pluginId - a plugin that no longer runs
   */
  remove(pluginId: string): Promise<void>;
  /**
   * Encrypts and stores a secret in a transaction of the caller.
   * @param secret - name and value in clear text
   * @throws an error of a code `SECRET_…` for an invalid name or value, and without a master key
   */
  put(
    unit: Pick<Store, "secrets">,
    pluginId: string,
    secret: { readonly name: string; readonly value: string },
  ): Promise<void>;
}

/** Stores of the plugins of a host (D26). */
export interface PluginStores {
  /** Returns the store of one plugin; databases are opened on first use. */
  of(pluginId: string): PluginStore;
  /**
   * Deletes all data of a plugin.
   * @param pluginId - a plugin that no longer runs
   */
  remove(pluginId: string): Promise<void>;
  /** Stores secrets in transactions of the host; undefined without secrets. */
  readonly secrets: Pick<PluginSecrets, "put"> | undefined;
  /** Waits for work in progress, then closes the plugins' databases; the host's store stays open. */
  close(): Promise<void>;
}

/**
 * Creates the stores of a host's plugins: values by key in the host's own database, and separate
 * databases, which are files `<folder>/<plugin>/<name>.db` or schemas on the host's server.
 * @param options - location, durability and clock
 */
export function createPluginStores(options: PluginStoresOptions): PluginStores {
  return new DatabasePluginStores(options);
}

class DatabasePluginStores implements PluginStores {
  readonly #options: PluginStoresOptions;
  readonly #databases: PluginDatabases;

  constructor(options: PluginStoresOptions) {
    this.#options = options;
    this.#databases = new PluginDatabases(options);
  }

  get secrets(): Pick<PluginSecrets, "put"> | undefined {
    return this.#options.secrets;
  }

  of(pluginId: string): PluginStore {
    const { store, secrets } = this.#options;
    return {
      kv: store.plugins.values.of(pluginId),
      ...(secrets === undefined ? {} : { secrets: secrets.of(pluginId) }),
      database: (options) => this.#databases.database(pluginId, options),
    };
  }

  async remove(pluginId: string): Promise<void> {
    await this.#options.store.transaction(async (store) => {
      await store.plugins.values.clear(pluginId);
      await store.sessions.extensions.clear({ pluginId });
      await store.sessions.injections.clear({ pluginId });
    });
    await this.#options.secrets?.remove(pluginId);
    await this.#databases.remove(pluginId);
  }

  async close(): Promise<void> {
    await this.#databases.close();
  }
}
