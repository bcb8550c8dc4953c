import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { DatabaseVectors } from "@openclaw/plugin-sdk/store";
import { Kysely, sql } from "kysely";
import type { Schema } from "../database/schema.js";
import { DatabaseUnit } from "../database/unit-of-work.js";
import { ensurePrivateFile } from "../engine/database-file.js";
import { type Durability, IN_MEMORY, SQLITE_SCHEMA } from "../engine/sqlite.js";
import { openSqliteDialect } from "../engine/sqlite-dialect.js";
import type { SchemaWords } from "../migrations/migration.js";

/** Valid names of databases of plugins. */
export const DATABASE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const FILE = /\.db$/;

/** A database of a plugin. */
export interface PluginDatabaseName {
  readonly pluginId: string;
  readonly name: string;
}

/** An open database of a plugin. */
export interface OpenPluginDatabase {
  readonly unit: DatabaseUnit;
  readonly words: SchemaWords;
  /**
   * Returns the problem of a statement that accesses anything outside the database.
   * @param sql - a statement
   * @returns undefined when there is none
   */
  reachesBeyond(sql: string): string | undefined;
  /** Adds vector functions to the engine, if they are installed. */
  addVectors(): Promise<DatabaseVectors>;
}

/** Location of the databases of plugins. */
export interface PluginDatabasePlace {
  readonly dialect: "sqlite" | "postgres";
  /** Opens a database, creating it when it does not exist. */
  open(pluginId: string, name: string): Promise<OpenPluginDatabase>;
  /** Lists the databases that exist. */
  list(): Promise<readonly PluginDatabaseName[]>;
  /** Deletes every database of a plugin; none of them may be open. */
  remove(pluginId: string): Promise<void>;
  /**
   * Moves every database of a plugin to another folder; none of them may be open.
   * @returns the folder; undefined where databases are not files
   */
  setAside(pluginId: string): Promise<string | undefined>;
}

/** Durability and clock of a database. */
export interface PluginDatabaseSettings {
  readonly durability: Durability;
  readonly now: () => number;
  /** Engine that opens the files of databases; default `sqlite`. */
  readonly files?: "sqlite" | "libsql" | undefined;
}

/** SQLite files `<folder>/<plugin>/<name>.db`, or in-memory databases without a folder. */
export class PluginDatabaseFiles implements PluginDatabasePlace {
  readonly dialect = "sqlite";
  readonly #folder: string | undefined;
  readonly #settings: PluginDatabaseSettings;

  constructor(folder: string | undefined, settings: PluginDatabaseSettings) {
    this.#folder = folder;
    this.#settings = settings;
  }

  async open(pluginId: string, name: string): Promise<OpenPluginDatabase> {
    const { durability, now } = this.#settings;
    const folder = this.#folderOf(pluginId);
    const file = folder === undefined ? IN_MEMORY : join(folder, `${name}.db`);
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await ensurePrivateFile(file);
    }
    if (folder !== undefined && this.#settings.files === "libsql")
      return await this.#withLibsql(file);
    const { dialect, direct, loadExtension } = await openSqliteDialect(file, {
      durability,
      safeIntegers: true,
    });
    let vectors: Promise<DatabaseVectors> | undefined;
    return {
      unit: new DatabaseUnit(new Kysely<Schema>({ dialect }), now, undefined, direct),
      words: SQLITE_SCHEMA,
      // Plugins cannot run statements that attach another file.
      reachesBeyond: () => undefined,
      addVectors() {
        vectors ??= addSqliteVectors(loadExtension);
        return vectors;
      },
    };
  }

  /** The engine has functions for vectors of its own, and loads no others. */
  async #withLibsql(file: string): Promise<OpenPluginDatabase> {
    const { openLibsqlFile } = await import("../engine/libsql/libsql.js");
    const { durability, now } = this.#settings;
    const { unit } = await openLibsqlFile(file, { durability, now, safeIntegers: true });
    return {
      unit,
      words: SQLITE_SCHEMA,
      reachesBeyond: () => undefined,
      addVectors: async () => ({ extension: "libsql" }),
    };
  }

  async list(): Promise<readonly PluginDatabaseName[]> {
    if (this.#folder === undefined) return [];
    const found: PluginDatabaseName[] = [];
    for (const folder of await readdir(this.#folder).catch(() => [])) {
      const pluginId = pluginOf(folder);
      if (pluginId === undefined) continue;
      const files = await readdir(join(this.#folder, folder)).catch(() => []);
      for (const file of files.filter((name) => FILE.test(name)).toSorted()) {
        const name = file.replace(FILE, "");
        const isOwn =
          DATABASE_NAME.test(name) && (await this.#isOwn(join(this.#folder, folder, file)));
        if (isOwn) found.push({ pluginId, name });
      }
    }
    return found;
  }

  async remove(pluginId: string): Promise<void> {
    const folder = this.#folderOf(pluginId);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async setAside(pluginId: string): Promise<string | undefined> {
    const folder = this.#folderOf(pluginId);
    if (folder === undefined || this.#folder === undefined) return undefined;
    const stamp = new Date(this.#settings.now()).toISOString().replaceAll(/[:.]/g, "-");
    const kept = join(`${this.#folder}.before-migrate-${stamp}`, basename(folder));
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    await rename(folder, kept);
    return kept;
  }

  /** A plugin may keep a database file that it opens itself; the host did not migrate that one. */
  async #isOwn(file: string): Promise<boolean> {
    const { dialect } = await openSqliteDialect(file, { durability: "process" });
    const database = new Kysely<Schema>({ dialect });
    try {
      const { rows } = await sql`
        select 1 from sqlite_schema where name = 'openclaw_migrations'`.execute(database);
      return rows.length > 0;
    } finally {
      await database.destroy();
    }
  }

  /**
   * Returns the folder of a plugin. An id may contain a slash, but must not lead into another
   * folder.
   */
  #folderOf(pluginId: string): string | undefined {
    if (this.#folder === undefined) return undefined;
    return join(this.#folder, encodeURIComponent(pluginId).replace(/^\./, "%2E"));
  }
}

/** Returns the plugin of a folder; undefined for a folder that the host did not name. */
function pluginOf(folder: string): string | undefined {
  try {
    return decodeURIComponent(folder);
  } catch {
    return undefined;
  }
}

/** The library is optional: npm does not install it on platforms for which it has no build. */
async function addSqliteVectors(loadExtension: (file: string) => void): Promise<DatabaseVectors> {
  try {
    const { getLoadablePath } = await import("sqlite-vec");
    loadExtension(getLoadablePath());
    return { extension: "sqlite-vec" };
  } catch (error) {
    return { extension: "none", reason: `sqlite-vec cannot be loaded: ${errorMessage(error)}` };
  }
}
