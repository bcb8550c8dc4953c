import { existsSync } from "node:fs";
import { orderedId } from "@openclaw/foundation";
import {
  createPluginStores,
  isPostgresUrl,
  openStore,
  type PluginStores,
  type Store,
  type StoreConfiguration,
  type StorePlace,
} from "@openclaw/store";
import { JournalKeys } from "../secrets/journal-keys.js";
import { MasterKeys } from "../secrets/master-keys.js";
import { createPluginSecrets } from "../secrets/plugin-secrets.js";
import type { StateFolder } from "./folder.js";

/** Stores of a host, and notices about their durability and what they lost. */
export interface HostStore {
  readonly store: Store;
  /** Stores of plugins. */
  readonly pluginStores: PluginStores;
  /** Sentences for the operator about data loss that is possible or has happened; empty when there is none. */
  readonly notices: readonly string[];
  /**
   * Makes the key of the journal available, before the first turn.
   * @throws SecretKeyError when there is no master key, or it cannot be used
   */
  prepareJournal(): Promise<void>;
  /** Waits for running operations, then closes both stores. */
  close(): Promise<void>;
}

/** Options of {@link openHostStore}. */
export interface HostStoreOptions {
  readonly state: StateFolder;
  /** The `store` section of the configuration. */
  readonly configuration: StoreConfiguration | undefined;
  /** Keeps all data in memory, `--no-db` (HOST-004). */
  readonly inMemory?: boolean | undefined;
  /** True when another process may have it open at the same time, because this one only reads. */
  readonly isReading?: boolean | undefined;
  /** Environment variables, which may have the master key of secrets; those of the process when absent. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

const NOTHING_IS_KEPT = [
  "all data is in memory (--no-db): sessions, approvals, traces and plugin data are lost when this process ends",
  "not available: resuming turns after a restart, export, replay and backups",
];
const POWER_CUT_LOSES = [
  'a power cut can lose the last second of data (store.durability: "process"); a killed process loses nothing',
];

/**
 * Returns the location of a host's database (SCALE-002).
 * @param state - state folder of the host, the base of relative paths
 * @param configuration - `store` section of its configuration
 */
export function storePlace(
  state: StateFolder,
  configuration: StoreConfiguration | undefined,
): StorePlace {
  const url = configuration?.url;
  return url === undefined ? { file: state.databaseFile } : { url, folder: state.dir };
}

/**
 * Opens the store of a host for reading; the host may have it open. Without a database the store is empty.
 * @param owner - state folder and `store` section of the host
 * @throws StoreUnavailableError, SchemaTooNewError
 */
export async function openExistingStore({
  state,
  configuration,
  environment = process.env,
}: Pick<HostStoreOptions, "state" | "configuration" | "environment">): Promise<Store> {
  const place = storePlace(state, configuration);
  const isMissing = "file" in place && !existsSync(place.file);
  if (isMissing) return await openStore({ file: ":memory:" });
  const journalCipher = new JournalKeys(new MasterKeys(state, environment));
  return await openStore({ ...place, journalCipher });
}

/**
 * Opens the store of a host and of its plugins.
 * @param options - location and durability
 * @throws StoreUnavailableError, DatabaseInUseError, SchemaTooNewError
 */
export async function openHostStore({
  state,
  configuration,
  inMemory = false,
  isReading = false,
  environment = process.env,
}: HostStoreOptions): Promise<HostStore> {
  const { durability = "power" } = configuration ?? {};
  const place = inMemory ? { file: ":memory:" } : storePlace(state, configuration);
  const isOwned = !inMemory && !isReading;
  // A server is shared by any number of nodes; a file belongs to one process.
  const isNode = isOwned && "url" in place && isPostgresUrl(place.url);
  const holding = isNode ? { nodeId: orderedId(Date.now()) } : { exclusive: isOwned };
  const keys = new MasterKeys(state, environment);
  const journalCipher = inMemory ? undefined : new JournalKeys(keys);
  // Another host may reach the same file from a different state folder, through any spelling of its path.
  const store = await openStore({ ...place, durability, ...holding, journalCipher });
  const pluginStores = createPluginStores({
    store,
    durability,
    secrets: createPluginSecrets(async () => store, keys),
    ...(inMemory ? undefined : pluginPlace(store, state, place)),
  });
  return {
    store,
    pluginStores,
    notices: [
      ...(store.database.lost === undefined ? [] : [store.database.lost]),
      ...(inMemory ? NOTHING_IS_KEPT : durability === "process" ? POWER_CUT_LOSES : []),
    ],
    prepareJournal: async () => journalCipher?.prepare(store),
    async close() {
      await pluginStores.close();
      await store.close();
    },
  };
}

function pluginPlace({ database }: Store, { pluginDataDir }: StateFolder, place: StorePlace) {
  if (database.dialect === "postgres" && "url" in place) return { url: place.url };
  return {
    folder: pluginDataDir,
    files: database.dialect === "libsql" ? database.dialect : "sqlite",
  } as const;
}

/** Stores of plugins, and the store of the host to which they belong. */
export interface CommandStores extends PluginStores {
  /** Returns the store of the host, opened on first use. */
  host(): Promise<Store>;
}

/**
 * Opens the stores of plugins for a command, while a host may have them open. They open with their first use.
 * @param owner - state folder and `store` section of the host
 */
export function openCommandStores({
  state,
  configuration,
  environment = process.env,
}: Omit<HostStoreOptions, "inMemory">): CommandStores {
  let opened: Promise<{ readonly store: Store; readonly stores: PluginStores }> | undefined;
  const open = async () => {
    const store = await openExistingStore({ state, configuration, environment });
    const place = storePlace(state, configuration);
    const { durability = "power" } = configuration ?? {};
    return {
      store,
      stores: createPluginStores({
        store,
        durability,
        secrets,
        ...pluginPlace(store, state, place),
      }),
    };
  };
  const secrets = createPluginSecrets(async () => {
    opened ??= open();
    return (await opened).store;
  }, new MasterKeys(state, environment));
  const storeOf = async (pluginId: string) => {
    opened ??= open();
    return (await opened).stores.of(pluginId);
  };
  return {
    secrets,
    async host() {
      opened ??= open();
      return (await opened).store;
    },
    of: (pluginId) => ({
      secrets: secrets.of(pluginId),
      kv: {
        get: async (key) => (await storeOf(pluginId)).kv.get(key),
        set: async (key, value) => (await storeOf(pluginId)).kv.set(key, value),
        delete: async (key) => (await storeOf(pluginId)).kv.delete(key),
        list: async (prefix) => (await storeOf(pluginId)).kv.list(prefix),
        compareAndSet: async (key, expected, next) =>
          (await storeOf(pluginId)).kv.compareAndSet(key, expected, next),
      },
      database: async (options) => (await storeOf(pluginId)).database(options),
    }),
    async remove(pluginId) {
      opened ??= open();
      await (await opened).stores.remove(pluginId);
    },
    async close() {
      const found = await opened?.catch(() => undefined);
      await found?.stores.close();
      await found?.store.close();
    },
  };
}
