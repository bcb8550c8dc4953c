import { errorMessage } from "@openclaw/foundation";
import { PluginMigrationError, PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type {
  DatabaseVectors,
  PluginDatabase,
  PluginDatabaseOptions,
  PluginMigration,
  PluginSecretStore,
  PluginStore,
} from "@openclaw/plugin-sdk/store";
import type { Durability } from "../engine/sqlite.js";
import {
  MigrationChangedError,
  MigrationFailedError,
  SchemaTooNewError,
  StoreClosedError,
} from "../errors.js";
import type { Migration } from "../migrations/migration.js";
import { migrate } from "../migrations/migrations.js";
import type { Store } from "../store.js";
import { statementProblem, UnitPluginDatabase } from "./database.js";
import {
  type OpenPluginDatabase,
  PluginDatabaseFiles,
  type PluginDatabasePlace,
} from "./database-place.js";

const NOT_REQUESTED: DatabaseVectors = {
  extension: "none",
  reason: "the plugin opened the database without `vectors: true`",
};
const DATABASE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Options for the stores of a host's plugins. */
export interface PluginStoresOptions {
  /** The host's own store, which contains the values by key. */
  readonly store: Store;
  /** Folder for the plugins' databases, created on first use. */
  readonly folder?: string | undefined;
  /**
   * The `postgres:` URL of the host's own database, as an alternative to a folder: the plugins'
   * databases become schemas on its server. Without either they are kept in memory.
   */
  readonly url?: string | undefined;
  /** As for the host's own store; default `power`. */
  readonly durability?: Durability | undefined;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Secrets of the plugins; without it `secrets` is missing in their stores. */
  readonly secrets?: PluginSecrets | undefined;
}

/** Secrets of the plugins of a host. */
export interface PluginSecrets {
  /**
   * Returns the secrets of one plugin.
   * @param pluginId - the plugin
   */
  of(pluginId: string): PluginSecretStore;
  /**
   * Deletes all secrets of a plugin.
   * @param pluginId - a plugin that no longer runs
   */
  remove(pluginId: string): Promise<void>;
  /**
   * Encrypts and stores a secret in a transaction of the caller.
   * @param unit - the transaction
   * @param pluginId - the plugin
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
  /**
   * Returns the store of one plugin; databases are opened on first use.
   * @param pluginId - the plugin
   */
  of(pluginId: string): PluginStore;
  /**
   * Deletes all data of a plugin.
   * @param pluginId - a plugin that no longer runs
   */
  remove(pluginId: string): Promise<void>;
  /** Stores secrets in transactions of the host; undefined without secrets. */
  readonly secrets: Pick<PluginSecrets, "put"> | undefined;
  /**
   * Waits for work in progress, then closes the plugins' databases; the host's store stays open.
   */
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
  /** Open databases by plugin, then by name. */
  readonly #open = new Map<string, Map<string, Promise<OpenPluginDatabase>>>();
  #place: Promise<PluginDatabasePlace> | undefined;
  #closed = false;

  constructor(options: PluginStoresOptions) {
    this.#options = options;
  }

  get secrets(): Pick<PluginSecrets, "put"> | undefined {
    return this.#options.secrets;
  }

  of(pluginId: string): PluginStore {
    const { store, secrets } = this.#options;
    return {
      kv: store.plugins.values.of(pluginId),
      ...(secrets === undefined ? {} : { secrets: secrets.of(pluginId) }),
      database: (options) => this.#database(pluginId, options),
    };
  }

  async remove(pluginId: string): Promise<void> {
    await this.#close(pluginId);
    await this.#options.store.transaction(async (store) => {
      await store.plugins.values.clear(pluginId);
      await store.sessions.extensions.clear({ pluginId });
      await store.sessions.injections.clear({ pluginId });
    });
    await this.#options.secrets?.remove(pluginId);
    await (await this.#databases()).remove(pluginId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const pluginId of [...this.#open.keys()]) await this.#close(pluginId);
  }

  async #database(pluginId: string, options: PluginDatabaseOptions): Promise<PluginDatabase> {
    const { dialect } = await this.#databases();
    const problem = optionsProblem(options, dialect);
    if (problem !== undefined) {
      throw new PluginStoreArgumentError(pluginId, "store.database", problem);
    }
    const { name, migrations } = options;
    const database = await this.#opened(pluginId, name);
    // Before the migrations, which may use them.
    const vectors = options.vectors === true ? await database.addVectors() : NOT_REQUESTED;
    const steps = migrations.map((migration) => asStep(migration, dialect));
    try {
      await migrate(database.unit, name, database.words, steps, "openclaw_migrations");
    } catch (error) {
      const problem = tell(error);
      if (problem === undefined) throw error;
      throw new PluginMigrationError(pluginId, name, problem, { cause: error });
    }
    const { unit, reachesBeyond } = database;
    return new UnitPluginDatabase(unit, { pluginId, name, dialect, vectors, reachesBeyond });
  }

  /** Returns the database of a name, which is opened only once. */
  #opened(pluginId: string, name: string): Promise<OpenPluginDatabase> {
    if (this.#closed) throw new StoreClosedError("the store of plugins", "the host has stopped");
    const own = this.#open.get(pluginId) ?? new Map<string, Promise<OpenPluginDatabase>>();
    this.#open.set(pluginId, own);
    const opened =
      own.get(name) ?? this.#databases().then((databases) => databases.open(pluginId, name));
    own.set(name, opened);
    // A database that cannot be opened now may be opened later.
    opened.catch(() => own.delete(name));
    return opened;
  }

  #databases(): Promise<PluginDatabasePlace> {
    this.#place ??= pluginDatabases(this.#options);
    return this.#place;
  }

  async #close(pluginId: string): Promise<void> {
    const own = this.#open.get(pluginId);
    this.#open.delete(pluginId);
    for (const opened of own?.values() ?? []) {
      const database = await opened.catch(() => undefined);
      await database?.unit.close();
    }
  }
}

async function pluginDatabases({
  folder,
  url,
  durability = "power",
  now = Date.now,
}: PluginStoresOptions): Promise<PluginDatabasePlace> {
  const settings = { durability, now };
  if (url === undefined) return new PluginDatabaseFiles(folder, settings);
  const { PostgresPluginSchemas } = await import("./postgres-schemas.js");
  return new PostgresPluginSchemas(url, settings);
}

type Dialect = PluginDatabase["dialect"];

function optionsProblem(
  { name, migrations }: PluginDatabaseOptions,
  dialect: Dialect,
): string | undefined {
  if (typeof name !== "string" || !DATABASE_NAME.test(name)) {
    return `name: expected 1 to 64 of a-z 0-9 _ -, a letter or digit first, got ${JSON.stringify(name)}`;
  }
  if (!Array.isArray(migrations)) return `migrations: expected a list, got ${typeof migrations}`;
  const seen = new Set<string>();
  for (const [index, migration] of migrations.entries()) {
    const problem = migrationProblem(migration, dialect, seen);
    if (problem !== undefined) return `migrations[${index}]${problem}`;
  }
  return undefined;
}

function migrationProblem(
  migration: PluginMigration,
  dialect: Dialect,
  seen: Set<string>,
): string | undefined {
  const { id } = migration;
  if (typeof id !== "string" || id === "") return ".id: expected a non-empty string";
  if (seen.has(id)) return `.id: duplicate "${id}"; give each migration a unique id`;
  seen.add(id);
  for (const statement of statementsOf(migration, dialect)) {
    const problem = statementProblem(statement);
    if (problem !== undefined) return `.${dialect}: ${problem}`;
  }
  return undefined;
}

function statementsOf(migration: PluginMigration, dialect: Dialect): readonly string[] {
  const given = migration[dialect];
  return typeof given === "string" ? [given] : given;
}

function asStep(migration: PluginMigration, dialect: Dialect): Migration {
  return { name: migration.id, statements: () => statementsOf(migration, dialect) };
}

/**
 * Explains a failed migration to the plugin's author.
 * @returns the explanation; undefined for an error that migrations did not cause, such as a full disk
 */
function tell(error: unknown): string | undefined {
  if (MigrationChangedError.isInstance(error)) {
    return `migration "${error.migration}" differs from the applied one, or was inserted before an applied one; put changes into a new migration at the end of the list`;
  }
  if (SchemaTooNewError.isInstance(error)) {
    const names = error.unknown.map((name) => `"${name}"`).join(", ");
    return `the database has ${names}, which this version of the plugin does not have; use the version that wrote it`;
  }
  if (MigrationFailedError.isInstance(error)) {
    const { cause, migration } = error;
    const reason = errorMessage(cause);
    const advice = /more than one statement|multiple commands/.test(reason)
      ? "give its statements as a list"
      : "it was rolled back";
    return `migration "${migration}" failed: ${reason}; ${advice}`;
  }
  return undefined;
}
