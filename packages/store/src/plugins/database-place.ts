import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { DatabaseVectors } from "@openclaw/plugin-sdk/store";
import { Kysely } from "kysely";
import type { Schema } from "../database/schema.js";
import { DatabaseUnit } from "../database/unit-of-work.js";
import { ensurePrivateFile } from "../engine/database-file.js";
import { type Durability, IN_MEMORY, SQLITE_SCHEMA } from "../engine/sqlite.js";
import { openSqliteDialect } from "../engine/sqlite-dialect.js";
import type { SchemaWords } from "../migrations/migration.js";

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
  /** Deletes every database of a plugin; none of them may be open. */
  remove(pluginId: string): Promise<void>;
}

/** Durability and clock of a database. */
export interface PluginDatabaseSettings {
  readonly durability: Durability;
  readonly now: () => number;
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

  async remove(pluginId: string): Promise<void> {
    const folder = this.#folderOf(pluginId);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
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
