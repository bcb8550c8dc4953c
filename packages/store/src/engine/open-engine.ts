import { Kysely } from "kysely";
import type { Schema } from "../database/schema.js";
import { DatabaseUnit } from "../database/unit-of-work.js";
import { DatabaseInUseError, StateLockedError, StoreUnavailableError } from "../errors.js";
import { ensurePrivateFile, type FileIdentity, fileIdentity } from "./database-file.js";
import type { DatabasePlace } from "./database-url.js";
import type { Engine, EngineOptions } from "./engine.js";
import { IN_MEMORY, openSqlite, SQLITE_SCHEMA, sqliteDialect } from "./sqlite.js";
import { acquireStateLock, type StateLock } from "./state-lock.js";

/**
 * Opens a database, creating it when it does not exist.
 * @param place - from {@link databasePlace}
 * @param options - durability, clock and exclusivity
 * @throws StoreUnavailableError when it cannot be opened
 */
export async function openEngine(place: DatabasePlace, options: EngineOptions): Promise<Engine> {
  if (place.engine === "sqlite") return await openSqliteEngine(place.file, options);
  // Loaded on demand, so that a host on SQLite starts without the PostgreSQL client.
  const { openPostgres } = await import("./postgres/postgres.js");
  return await openPostgres({ place, ...options });
}

async function openSqliteEngine(
  file: string,
  { durability, now, databaseClock = now, exclusive = false }: EngineOptions,
): Promise<Engine> {
  if (file !== IN_MEMORY) await ensurePrivateFile(file);
  const dialect = sqliteDialect(openSqlite(file, durability), file);
  const database = new Kysely<Schema>({ dialect });
  const unit = new DatabaseUnit(database, now, async () => databaseClock());
  const lock = exclusive && file !== IN_MEMORY ? await lockFor(file, unit) : undefined;
  const opened = await identityOf(file);
  return {
    dialect: "sqlite",
    name: file,
    words: SQLITE_SCHEMA,
    unit,
    async verify() {
      const current = await identityOf(file);
      if (current?.inode !== opened?.inode || current?.device !== opened?.device) {
        throw new StoreUnavailableError(file, "replaced");
      }
    },
    release: async () => lock?.release(),
  };
}

async function lockFor(file: string, unit: DatabaseUnit): Promise<StateLock> {
  try {
    return await acquireStateLock(`${file}.lock`, { pid: process.pid, startedAt: Date.now() });
  } catch (error) {
    await unit.close();
    if (!StateLockedError.isInstance(error)) throw error;
    const { holder } = error;
    throw new DatabaseInUseError(file, holder && `process ${holder.pid}`, { cause: error });
  }
}

async function identityOf(file: string): Promise<FileIdentity | undefined> {
  return file === IN_MEMORY ? undefined : await fileIdentity(file);
}
