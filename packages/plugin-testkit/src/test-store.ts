import type { PluginStore } from "@openclaw/plugin-sdk/store";
import { createPluginStores, openStore } from "@openclaw/store";

/** Options of {@link openTestStore}. */
export interface TestStoreOptions {
  /** Folder for the databases; they are kept in memory when absent. */
  readonly folder?: string;
  /** Engine that opens the files in the folder; default `sqlite`. */
  readonly files?: "sqlite" | "libsql";
  /** `postgres:` URL of a server on which the databases become schemas, instead of a folder. */
  readonly url?: string;
  /** Id of the plugin; default `tested`. */
  readonly pluginId?: string;
}

/** Store of a plugin without a host. */
export interface TestStore {
  /** The store, as `api.store`. */
  readonly store: PluginStore;
  /** Closes the databases. */
  close(): Promise<void>;
}

/**
 * Opens the store of a plugin without a host, to test what works on its databases. It is the host's own implementation.
 * @param options - location of the databases
 * @throws StoreUnavailableError when the server cannot be reached
 */
export async function openTestStore({
  folder,
  url,
  files,
  pluginId = "tested",
}: TestStoreOptions = {}): Promise<TestStore> {
  const store = await openStore(url === undefined ? { file: ":memory:" } : { url });
  const stores = createPluginStores({ store, folder, url, files, durability: "process" });
  return {
    store: stores.of(pluginId),
    async close() {
      await stores.close();
      await store.close();
    },
  };
}
