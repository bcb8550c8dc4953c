import { link, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Kysely } from "kysely";
import type { Schema } from "../database/schema.js";
import { DatabaseUnit } from "../database/unit-of-work.js";
import { StoreArgumentError, StoreUnavailableError } from "../errors.js";
import { backupAdvice } from "./backup-search.js";
import {
  ensurePrivateFile,
  type FileIdentity,
  fileFailure,
  fileIdentity,
  realDatabaseFile,
} from "./database-file.js";
import { acquireDatabaseLock } from "./database-lock.js";
import type { DatabasePlace } from "./database-url.js";
import type { Engine, EngineOptions, FileEngine } from "./engine.js";
import { IN_MEMORY, openSqlite, SQLITE_SCHEMA } from "./sqlite.js";
import { openSqliteDialect } from "./sqlite-dialect.js";

let drafts = 0;

/**
 * Opens a database, creating it when it does not exist.
 * @param place - from {@link databasePlace}
 * @param options - durability, clock and exclusivity
 * @throws StoreUnavailableError when it cannot be opened
 */
export async function openEngine(place: DatabasePlace, options: EngineOptions): Promise<Engine> {
  // Other engines are loaded on demand, so that a host on SQLite starts without them.
  if (place.engine === "postgres") {
    const { openPostgres } = await import("./postgres/postgres.js");
    return await openPostgres({ place, ...options });
  }
  if (options.nodeId !== undefined) {
    throw new StoreArgumentError("openStore", "the database of a node", "PostgreSQL", place.engine);
  }
  if (place.file !== undefined) return await openFileEngine(place.engine, place.file, options);
  const { openLibsqlServer } = await import("./libsql/libsql.js");
  return await openLibsqlServer({ place, ...options });
}

async function openFileEngine(
  engine: "sqlite" | "libsql",
  given: string,
  { exclusive = false, ...options }: EngineOptions,
): Promise<Engine> {
  const isFile = given !== IN_MEMORY;
  const file = isFile ? await realDatabaseFile(given) : given;
  // Before the file is created, because two hosts that start concurrently must not both find none.
  const lock = exclusive && isFile ? await acquireDatabaseLock(file) : undefined;
  try {
    const isNew = isFile && (await prepareDatabaseFile(file, exclusive));
    const { unit, purge, onCommit } =
      engine === "libsql"
        ? await (await import("./libsql/libsql.js")).openLibsqlFile(file, options)
        : await openSqliteFile(file, options);
    // A host that was killed may have erased content which its log still has.
    if (exclusive) await purge();
    const opened = await identityOf(file);
    return {
      engine,
      dialect: "sqlite",
      name: file,
      words: SQLITE_SCHEMA,
      unit,
      ...(exclusive && isFile ? { own: { file, isNew, onCommit } } : undefined),
      async verify() {
        const current = await identityOf(file);
        if (current?.inode !== opened?.inode || current?.device !== opened?.device) {
          throw new StoreUnavailableError(file, "replaced");
        }
      },
      release: async () => lock?.release(),
    };
  } catch (error) {
    await lock?.release();
    const isDamaged = StoreUnavailableError.isInstance(error) && error.reason === "corrupt";
    if (!isDamaged || !isFile) throw error;
    const { detail, cause } = error;
    throw new StoreUnavailableError(file, "corrupt", { detail, cause, advice: backupAdvice(file) });
  }
}

async function openSqliteFile(
  file: string,
  { now, databaseClock = now, journalCipher, ...options }: Omit<EngineOptions, "exclusive">,
): Promise<FileEngine> {
  const { dialect, direct, onCommit } = await openSqliteDialect(file, options);
  const database = new Kysely<Schema>({ dialect });
  const clock = async () => databaseClock();
  return {
    unit: new DatabaseUnit(database, now, clock, direct, journalCipher),
    purge: () => direct.purge(),
    onCommit,
  };
}

/**
 * Creates a new database, and rejects a file that a host must not write. A database is created under a
 * temporary name and then linked into place, so that an empty file at its path is always one that lost its
 * contents.
 * @returns true when there was none
 */
async function prepareDatabaseFile(file: string, exclusive: boolean): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) {
    await createDatabase(file);
  } else if (found.isFile()) {
    if (found.size === 0) {
      throw new StoreUnavailableError(file, "empty", { advice: backupAdvice(file) });
    }
    if (exclusive && found.nlink > 1 && !(await hasOneName(file)))
      throw new StoreUnavailableError(file, "several-names");
  }
  await ensurePrivateFile(file);
  return found === undefined;
}

async function createDatabase(file: string): Promise<void> {
  const draft = `${file}.${process.pid}-${drafts++}.new`;
  try {
    await ensurePrivateFile(draft);
    openSqlite(draft, "process").close();
    await link(draft, file).catch((error: unknown) => withoutLinks(error, draft, file));
  } catch (error) {
    // Another process, or another call, was faster.
    const wasMade = await fileIdentity(file).catch(() => undefined);
    if (wasMade === undefined) throw isStoreError(error) ? error : fileFailure(file, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Moves the draft on a file system without hard links; meanwhile, hosts hold the lock of their state folder.
 */
async function withoutLinks(error: unknown, draft: string, file: string): Promise<void> {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(String(code))) throw error;
  if ((await fileIdentity(file).catch(() => undefined)) === undefined) await rename(draft, file);
}

/** Removes the drafts of a process that was killed between `link` and `rm`. */
async function hasOneName(file: string): Promise<boolean> {
  const { ino } = await stat(file);
  const name = basename(file);
  for (const entry of await readdir(dirname(file))) {
    if (!entry.startsWith(`${name}.`) || !entry.endsWith(".new")) continue;
    const draft = join(dirname(file), entry);
    const found = await stat(draft).catch(() => undefined);
    if (found?.ino === ino) await rm(draft, { force: true });
  }
  return (await stat(file)).nlink === 1;
}

function isStoreError(error: unknown): boolean {
  return StoreUnavailableError.isInstance(error);
}

async function identityOf(file: string): Promise<FileIdentity | undefined> {
  return file === IN_MEMORY ? undefined : await fileIdentity(file);
}
