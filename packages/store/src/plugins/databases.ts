import { errorMessage } from "@openclaw/foundation";
import { PluginMigrationError, PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type {
  DatabaseVectors,
  PluginDatabase,
  PluginDatabaseOptions,
  PluginMigration,
} from "@openclaw/plugin-sdk/store";
import type { Durability } from "../engine/sqlite.js";
import {
  MigrationChangedError,
  MigrationFailedError,
  SchemaTooNewError,
  StoreClosedError,
} from "../errors.js";
import type { Migration } from "../migrations/migration.js";
import { migrate, migrationStates } from "../migrations/migrations.js";
import { statementProblem, UnitPluginDatabase } from "./database.js";
import {
  DATABASE_NAME,
  type OpenPluginDatabase,
  PluginDatabaseFiles,
  type PluginDatabaseName,
  type PluginDatabasePlace,
} from "./database-place.js";

const NOT_REQUESTED: DatabaseVectors = {
  extension: "none",
  reason: "the plugin opened the database without `vectors: true`",
};
const ONLY_READ: DatabaseVectors = {
  extension: "none",
  reason: "the database is only read",
};

/** Location and durability of the databases of plugins. */
export interface PluginDatabasesOptions {
  /** Folder for the plugins' databases, created on first use. */
  readonly folder?: string | undefined;
  /**
   * The `postgres:` URL of the host's own database, as an alternative to a folder: the plugins'
   * databases become schemas on its server. Without either they are kept in memory.
   */
  readonly url?: string | undefined;
  /** Engine that opens the files in the folder; default `sqlite`. */
  readonly files?: "sqlite" | "libsql" | undefined;
  /** As for the host's own store; default `power`. */
  readonly durability?: Durability | undefined;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /**
   * True rejects statements that write, and databases with a pending migration; a database that
   * does not exist is empty, and is not created.
   */
  readonly isReadOnly?: boolean | undefined;
}

/** Databases of the plugins of a host. Each is opened once, on first use. */
export class PluginDatabases {
  readonly #options: PluginDatabasesOptions;
  /** Open databases by plugin, then by name. */
  readonly #open = new Map<string, Map<string, Promise<OpenPluginDatabase>>>();
  #place: Promise<PluginDatabasePlace> | undefined;
  #closed = false;

  /** @param options - location and durability */
  constructor(options: PluginDatabasesOptions) {
    this.#options = options;
  }

  /** Lists the databases that exist, by plugin and name. */
  async list(): Promise<readonly PluginDatabaseName[]> {
    return await (await this.#databases()).list();
  }

  /**
   * Opens a database of a plugin and applies its migrations.
   * @param options - name and migrations
   * @throws PluginStoreArgumentError, PluginMigrationError
   */
  async database(pluginId: string, options: PluginDatabaseOptions): Promise<PluginDatabase> {
    const { isReadOnly = false } = this.#options;
    const place = await this.#placeOf(pluginId, options.name);
    const { dialect } = place;
    const problem = optionsProblem(options, dialect);
    if (problem !== undefined) {
      throw new PluginStoreArgumentError(pluginId, "store.database", problem);
    }
    const { name, migrations } = options;
    const database = await this.#opened(place, pluginId, name);
    // Before the migrations, which may use them.
    const vectors =
      options.vectors !== true
        ? NOT_REQUESTED
        : isReadOnly
          ? ONLY_READ
          : await database.addVectors();
    const steps = migrations.map((migration) => asStep(migration, dialect));
    const isNew = place !== (await this.#databases());
    try {
      if (isReadOnly && !isNew) await assertMigrated(database, steps, { pluginId, name });
      else await migrate(database.unit, name, database.words, steps, "openclaw_migrations");
    } catch (error) {
      const problem = tell(error);
      if (problem === undefined) throw error;
      throw new PluginMigrationError(pluginId, name, problem, { cause: error });
    }
    const { unit, reachesBeyond } = database;
    const facts = { pluginId, name, dialect, vectors, reachesBeyond, isReadOnly };
    return new UnitPluginDatabase(unit, facts);
  }

  /**
   * Deletes every database of a plugin.
   * @param pluginId - a plugin that no longer runs
   */
  async remove(pluginId: string): Promise<void> {
    await this.#close(pluginId);
    await (await this.#databases()).remove(pluginId);
  }

  /**
   * Puts the databases of a plugin aside, where they are files; nothing uses them there.
   * @param pluginId - a plugin that does not run
   * @returns the folder with the files; undefined on a server, where they stay
   */
  async setAside(pluginId: string): Promise<string | undefined> {
    await this.#close(pluginId);
    return await (await this.#databases()).setAside(pluginId);
  }

  /** Closes the databases. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const pluginId of [...this.#open.keys()]) await this.#close(pluginId);
  }

  /** A database that is only read and does not exist is an empty one in memory. */
  async #placeOf(pluginId: string, name: string): Promise<PluginDatabasePlace> {
    const databases = await this.#databases();
    if (this.#options.isReadOnly !== true) return databases;
    const isThere = (await databases.list()).some(
      (found) => found.pluginId === pluginId && found.name === name,
    );
    const { durability = "power", now = Date.now } = this.#options;
    return isThere ? databases : new PluginDatabaseFiles(undefined, { durability, now });
  }

  /** Returns the database of a name, which is opened only once. */
  #opened(place: PluginDatabasePlace, pluginId: string, name: string): Promise<OpenPluginDatabase> {
    if (this.#closed) throw new StoreClosedError("the store of plugins", "the host has stopped");
    const own = this.#open.get(pluginId) ?? new Map<string, Promise<OpenPluginDatabase>>();
    this.#open.set(pluginId, own);
    const opened = own.get(name) ?? place.open(pluginId, name);
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

async function assertMigrated(
  { unit, words }: OpenPluginDatabase,
  steps: readonly Migration[],
  { pluginId, name }: PluginDatabaseName,
): Promise<void> {
  const states = await migrationStates(unit, words, steps, "openclaw_migrations");
  const other = states.find(({ state }) => state !== "applied");
  if (other === undefined) return;
  const problem = `its migration "${other.name}" is ${other.state}, and it is only read; start the gateway with this version of the plugin once, and stop it`;
  throw new PluginMigrationError(pluginId, name, problem);
}

async function pluginDatabases({
  folder,
  url,
  files,
  durability = "power",
  now = Date.now,
}: PluginDatabasesOptions): Promise<PluginDatabasePlace> {
  const settings = { durability, now, files };
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
