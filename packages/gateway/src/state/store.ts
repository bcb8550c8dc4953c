import {
  createPluginStores,
  openStore,
  type PluginStores,
  type Store,
  type StoreConfiguration,
  type StorePlace,
} from "@openclaw/store";
import type { StateFolder } from "./folder.js";

/** What a host keeps, and how safely. */
export interface HostStore {
  readonly store: Store;
  /** What plugins keep. */
  readonly pluginStores: PluginStores;
  /** What may be lost and when, in sentences for the operator; empty where nothing may. */
  readonly notices: readonly string[];
  /** Waits for what was begun, then closes both. */
  close(): Promise<void>;
}

/** How a host's store is opened. */
export interface HostStoreOptions {
  readonly state: StateFolder;
  /** The `store` section of the configuration. */
  readonly configuration: StoreConfiguration | undefined;
  /** `--no-db`: keeps everything in memory (HOST-004). */
  readonly inMemory?: boolean | undefined;
}

const NOTHING_IS_KEPT = [
  "nothing is kept (--no-db): sessions, approvals, traces and plugins' data end with this run",
  "off: taking up turns after a restart, export, replay and backups",
];
const POWER_CUT_LOSES = [
  'a power cut may lose the last second (store.durability: "process"), a killed process nothing',
];

/**
 * Where the rows of a host lie (SCALE-002).
 * @param state - its state folder, from which relative paths start
 * @param configuration - the `store` section of its configuration
 */
export function storePlace(
  state: StateFolder,
  configuration: StoreConfiguration | undefined,
): StorePlace {
  const url = configuration?.url;
  return url === undefined ? { file: state.databaseFile } : { url, folder: state.dir };
}

/**
 * Opens the store of a host and of its plugins.
 * @param options - where it lies
 * @throws StoreUnavailableError, DatabaseInUseError, SchemaTooNewError
 */
export async function openHostStore({
  state,
  configuration,
  inMemory = false,
}: HostStoreOptions): Promise<HostStore> {
  const { durability = "power" } = configuration ?? {};
  const place = inMemory ? { file: ":memory:" } : storePlace(state, configuration);
  // Another host may reach the same file from a state folder of its own, by whatever spelling of its path.
  const store = await openStore({ ...place, durability, exclusive: !inMemory });
  const pluginStores = createPluginStores({
    store,
    durability,
    ...(inMemory ? undefined : pluginPlace(store, state, place)),
  });
  return {
    store,
    pluginStores,
    notices: inMemory ? NOTHING_IS_KEPT : durability === "process" ? POWER_CUT_LOSES : [],
    async close() {
      await pluginStores.close();
      await store.close();
    },
  };
}

function pluginPlace({ database }: Store, { pluginDataDir }: StateFolder, place: StorePlace) {
  return database.dialect === "postgres" && "url" in place
    ? { url: place.url }
    : { folder: pluginDataDir };
}
