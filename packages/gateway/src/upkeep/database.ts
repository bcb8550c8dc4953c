import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { defined } from "@openclaw/foundation";
import { acquireStateLock, type StoreConfiguration } from "@openclaw/store";
import {
  backupDatabase,
  type CopyOptions,
  checkBackup,
  copyDatabase,
  countDatabase,
  type DatabasePlace,
  type DatabaseStatus,
  databasePlace,
  databaseStatus,
  forgetCommits,
  restoreDatabase,
  type TableComparison,
} from "@openclaw/store/upkeep";
import { COMMAND_WAIT_MS, openStateFolder, type StateFolder } from "../state/folder.js";
import {
  type DataPorts,
  type MovedPlugin,
  type PluginDatabaseLocation,
  PluginMove,
  type PluginMoveOptions,
} from "./plugin-move.js";

/** Host that a database belongs to. */
export interface DatabaseOwner {
  readonly state: StateFolder;
  /** The `store` section of the configuration. */
  readonly configuration: StoreConfiguration | undefined;
  /** Milliseconds to wait for another process that uses the state folder; default 5,000. */
  readonly waitMs?: number | undefined;
}

/** A file that was written, or a command of the database server that writes it. */
export type BackupOutcome =
  | {
      readonly kind: "file";
      readonly file: string;
      readonly bytes: number;
      readonly pluginDatabases: number;
    }
  | { readonly kind: "command"; readonly command: string };

/** A restored database, or a command of the database server that restores it. */
export type RestoreOutcome =
  | {
      readonly kind: "file";
      readonly database: string;
      /** Path of the previous database. */
      readonly kept?: string;
      readonly pluginDatabases: number;
    }
  | { readonly kind: "command"; readonly command: string };

/** Target and options of a database migration. */
export interface DatabaseMove extends Pick<CopyOptions, "batch" | "onProgress"> {
  /** URL of the target. */
  readonly url: string;
  /** Counts the rows without writing. */
  readonly dryRun?: boolean | undefined;
  /** Returns what moves the data of plugins; without it plugins with data stop the migration. */
  readonly ports?: DataPorts | undefined;
  /** Plugins whose data is left behind. */
  readonly without?: readonly string[] | undefined;
  /** Called with each batch of rows of a plugin. */
  readonly onPluginProgress?: PluginMoveOptions["onProgress"];
}

/** Outcome of a migration. */
export interface MoveOutcome {
  /** Empty for a dry run. */
  readonly tables: readonly TableComparison[];
  /** Rows of each table of the source. */
  readonly counts: readonly { readonly table: string; readonly rows: number }[];
  /** Plugins with data. */
  readonly plugins: readonly MovedPlugin[];
}

/** Returns the status of a host's database; the host may be running (SCALE-025). */
export async function hostDatabaseStatus(owner: DatabaseOwner): Promise<DatabaseStatus> {
  return await databaseStatus(placeOf(owner));
}

/** Accepts that the database of a host lacks commits: the next start does not say it again (SCALE-760). */
export function acceptLostCommits(owner: DatabaseOwner): void {
  const place = placeOf(owner);
  if (place.file !== undefined) forgetCommits(place.file);
}

/** Returns the path of the file of a database; undefined for one on a server. */
export function databaseFileOf(owner: DatabaseOwner): string | undefined {
  return placeOf(owner).file;
}

/**
 * Returns the command that backs up a database on a server, which a host does not do itself; undefined for a file.
 * @param file - absolute path of the backup
 */
export function serverBackupOf(owner: DatabaseOwner, file: string): string | undefined {
  const place = placeOf(owner);
  return place.file === undefined ? backupCommandOf(place, file) : undefined;
}

/**
 * Backs up the database of a host that may be running, and those of its plugins (SCALE-028).
 * @param file - absolute path of a file that does not exist yet
 * @throws BackupRefusedError, StoreUnavailableError
 */
export async function backupHostDatabase(
  owner: DatabaseOwner,
  file: string,
): Promise<BackupOutcome> {
  const place = placeOf(owner);
  if (place.file === undefined) return { kind: "command", command: backupCommandOf(place, file) };
  const { bytes } = await backupDatabase(place.file, file);
  const databases = filesBelow(owner.state.pluginDataDir);
  for (const database of databases) {
    const copy = join(pluginBackupsOf(file), relative(owner.state.pluginDataDir, database));
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    await backupDatabase(database, copy, { isPlugins: true });
  }
  return { kind: "file", file, bytes, pluginDatabases: databases.length };
}

/**
 * Replaces the database of a stopped host, and those of its plugins, with a backup (SCALE-028).
 * @param file - absolute path of a file that {@link backupHostDatabase} wrote
 * @throws StateLockedError while the host runs
 * @throws BackupRefusedError, SchemaTooNewError, MigrationChangedError, StoreUnavailableError
 */
export async function restoreHostDatabase(
  owner: DatabaseOwner,
  file: string,
): Promise<RestoreOutcome> {
  const place = placeOf(owner);
  if (place.engine === "postgres") {
    const command = `pg_restore --clean --if-exists --dbname=${quoted(addressOf(place.name))} ${quoted(file)}`;
    return { kind: "command", command };
  }
  const { file: database } = place;
  if (database === undefined) {
    const command = `openclaw config set store.url ${quoted(`file:${file}`)} && openclaw db migrate --to libsql --url ${quoted(place.name)}`;
    return { kind: "command", command };
  }
  return await whileLocked(owner, () => restoreFiles(owner, file, database));
}

/**
 * Checks that {@link restoreHostDatabase} would accept a backup, with the databases of plugins in it; the host may run.
 * @param file - absolute path of a file that {@link backupHostDatabase} wrote
 * @throws BackupRefusedError, SchemaTooNewError, MigrationChangedError, StoreUnavailableError
 */
export function checkHostBackup(file: string): void {
  checkBackup(file);
  for (const backup of filesBelow(pluginBackupsOf(file))) checkBackup(backup, { isPlugins: true });
}

/**
 * Replaces a database, and those of plugins, with a backup. The caller has the lock of the state folder.
 * @param file - absolute path of a file that {@link backupHostDatabase} wrote
 * @param database - absolute path of the database
 * @throws BackupRefusedError, SchemaTooNewError, MigrationChangedError, StoreUnavailableError
 */
export async function restoreFiles(
  { state }: Pick<DatabaseOwner, "state">,
  file: string,
  database: string,
): Promise<Extract<RestoreOutcome, { kind: "file" }>> {
  // Before the first change, so that a damaged database of a plugin does not leave half of a backup.
  checkHostBackup(file);
  const { kept } = await restoreDatabase(file, database);
  const backups = filesBelow(pluginBackupsOf(file));
  for (const backup of backups) {
    const target = join(state.pluginDataDir, relative(pluginBackupsOf(file), backup));
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await restoreDatabase(backup, target, { isPlugins: true });
  }
  return { kind: "file", database, ...defined({ kept }), pluginDatabases: backups.length };
}

/**
 * Copies every row of the database of a stopped host, and the data of its plugins, to another database, and compares both
 * (SCALE-026, SCALE-027, SCALE-640). No host opens the target before everything is copied and equal.
 * @param move - target and options
 * @throws StateLockedError while the host runs
 * @throws CopyRefusedError before anything is copied, for example when the data of a plugin cannot be moved
 * @throws PluginDataNotCopiedError, StoreUnavailableError, StoreArgumentError
 */
export async function moveHostDatabase(
  owner: DatabaseOwner,
  {
    url,
    dryRun = false,
    ports = async () => new Map(),
    without = [],
    onPluginProgress: onProgress,
    ...options
  }: DatabaseMove,
): Promise<MoveOutcome> {
  const from = placeOf(owner);
  const to = databasePlace(url, owner.state.dir);
  return await whileLocked(owner, async () => {
    const counts = await countDatabase(from);
    const move = await PluginMove.plan({
      source: from.file ?? from.name,
      from: pluginsOf(owner, from, owner.configuration?.url),
      to: pluginsOf(owner, to, url),
      ports,
      without,
      onProgress,
    });
    try {
      // Reads everything once, so that data that cannot be read stops the move before anything is copied.
      const planned = await move.count();
      if (dryRun) return { tables: [], counts, plugins: planned };
      let plugins: readonly MovedPlugin[] = [];
      const tables = await copyDatabase({
        from,
        to,
        ...options,
        beside: {
          check: (progress) => move.check(progress),
          async copy(progress) {
            plugins = await move.copy(progress);
            return plugins.every((plugin) => plugin.tables.every(({ isEqual }) => isEqual));
          },
        },
      });
      return { tables, counts, plugins };
    } finally {
      await move.close();
    }
  });
}

function pluginsOf(
  { state }: DatabaseOwner,
  { engine }: DatabasePlace,
  url: string | undefined,
): PluginDatabaseLocation {
  if (engine === "postgres" && url !== undefined) return { url };
  return { folder: state.pluginDataDir, files: engine === "libsql" ? "libsql" : "sqlite" };
}

function backupCommandOf(
  place: Extract<DatabasePlace, { file?: undefined }>,
  file: string,
): string {
  if (place.engine === "libsql") {
    return `openclaw db migrate --to sqlite --url ${quoted(`file:${file}`)}`;
  }
  const { name, schema } = place;
  return `pg_dump --format=custom --schema=${quoted(schema)} --schema='plugin_*' --file=${quoted(file)} ${quoted(addressOf(name))}`;
}

function placeOf({ state, configuration }: DatabaseOwner): DatabasePlace {
  const { url } = configuration ?? {};
  return url === undefined
    ? { engine: "sqlite", file: state.databaseFile }
    : databasePlace(url, state.dir);
}

async function whileLocked<Result>(
  { state, waitMs = COMMAND_WAIT_MS }: DatabaseOwner,
  work: () => Promise<Result>,
): Promise<Result> {
  const { lockFile } = openStateFolder(state.dir);
  const holder = { pid: process.pid, startedAt: Date.now() };
  const lock = await acquireStateLock(lockFile, holder, waitMs);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function pluginBackupsOf(file: string): string {
  return `${file}.plugins`;
}

/** Returns the databases in the folders of plugins: `<plugin>/<name>.db`. */
function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".db"))
    .map((path) => join(folder, path))
    .toSorted();
}

/** Returns the URL in the form that PostgreSQL's programs read; the password comes from PGPASSWORD or .pgpass. */
function addressOf(name: string): string {
  return name.replace(/\?schema=.*$/, "");
}

function quoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
