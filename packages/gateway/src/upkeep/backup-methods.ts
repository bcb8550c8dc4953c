import { existsSync } from "node:fs";
import { mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defined } from "@openclaw/foundation";
import { backupMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { StoreConfiguration } from "@openclaw/store";
import { BackupRefusedError } from "@openclaw/store/errors";
import { actorOf } from "../devices/audit-actor.js";
import { BackupNotFoundError } from "../errors.js";
import type { StateFolder } from "../state/folder.js";
import { backupHostDatabase, checkHostBackup, databaseFileOf, serverBackupOf } from "./database.js";
import { backupFolderOf, lastRestoreOf, stageRestore } from "./staged-restore.js";

/** Size of a part of a backup, in bytes. */
const PART_BYTES = 512 * 1024;
/** Endings of the files of a SQLite database. */
const DATABASE_FILES = ["", "-wal", "-shm"];

/** Dependencies of {@link createBackupMethods}. */
export interface BackupMethodDependencies {
  readonly state: StateFolder;
  /** Returns the `store` section of the configuration. */
  storeConfiguration(): StoreConfiguration | undefined;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Restarts the gateway; undefined when it cannot start itself again. */
  readonly restart?: (() => void) | undefined;
}

/**
 * Creates the methods of the database, its disk and its backups.
 * @param dependencies - state folder, configuration and clock
 */
export function createBackupMethods({
  state,
  storeConfiguration,
  now,
  restart,
}: BackupMethodDependencies): MethodRegistry<typeof backupMethods> {
  const folder = backupFolderOf(state);
  const owner = () => ({ state, configuration: storeConfiguration() });
  const serverCommand = () => serverBackupOf(owner(), join(folder, "openclaw.dump"));
  const describe = async (name: string) => {
    const file = join(folder, name);
    const { size, mtimeMs, isFile } = await statOf(file);
    if (!isFile) throw new BackupNotFoundError(name);
    const databases = await filesIn(`${file}.plugins`);
    return {
      ...{ name, bytes: size, createdAt: Math.round(mtimeMs) },
      pluginDatabases: databases.filter(({ path }) => path.endsWith(".db")).length,
    };
  };
  return MethodRegistry.of(backupMethods, {
    "host.storage": async () => {
      const { bavail, blocks, bsize } = await statfs(state.dir);
      const file = databaseFileOf(owner());
      const sizes =
        file === undefined
          ? []
          : await Promise.all(DATABASE_FILES.map(async (end) => (await statOf(file + end)).size));
      return {
        folder: state.dir,
        ...(file === undefined ? {} : { databaseBytes: sum(sizes) }),
        pluginBytes: await bytesIn(state.pluginDataDir),
        logBytes: await bytesIn(dirname(state.logFile)),
        backupBytes: await bytesIn(folder),
        freeBytes: bavail * bsize,
        totalBytes: blocks * bsize,
      };
    },
    "backups.list": async () => {
      const names = existsSync(folder) ? await readdir(folder) : [];
      const backups = await Promise.all(names.filter((name) => name.endsWith(".db")).map(describe));
      backups.sort((one, other) => other.createdAt - one.createdAt);
      const found = { command: serverCommand(), lastRestore: lastRestoreOf(state) };
      return { folder, backups, ...defined(found) };
    },
    "backups.create": async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `openclaw-${new Date(now()).toISOString().replaceAll(":", "-")}.db`;
      const outcome = await backupHostDatabase(owner(), join(folder, name));
      if (outcome.kind === "command") {
        throw new BackupRefusedError(
          join(folder, name),
          "is of a database on a server, which is backed up with a separate program",
          `run: ${outcome.command}`,
        );
      }
      return await describe(name);
    },
    "backups.read": async ({ name, offset = 0 }) => {
      const { bytes } = await describe(name);
      await using file = await open(join(folder, name), "r");
      const length = Math.max(0, Math.min(PART_BYTES, bytes - offset));
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      const next = offset + bytesRead;
      return {
        bytes,
        content: buffer.subarray(0, bytesRead).toString("base64"),
        ...(bytesRead > 0 && next < bytes ? { nextOffset: next } : {}),
      };
    },
    "backups.restore": async ({ name }, { caller }) => {
      await describe(name);
      const command = serverCommand();
      if (command !== undefined) {
        throw new BackupRefusedError(
          join(folder, name),
          "cannot replace a database on a server",
          "restore it with the programs of the server, or set store.url to the file of a database",
        );
      }
      checkHostBackup(join(folder, name));
      stageRestore(state, { name, actor: actorOf(caller).actor });
      restart?.();
      return { name, isRestarting: restart !== undefined };
    },
    "backups.remove": async ({ name }) => {
      await describe(name);
      await rm(`${join(folder, name)}.plugins`, { recursive: true, force: true });
      await rm(join(folder, name));
      return { name };
    },
  });
}

async function statOf(path: string) {
  try {
    const found = await stat(path);
    return { size: found.size, mtimeMs: found.mtimeMs, isFile: found.isFile() };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    return { size: 0, mtimeMs: 0, isFile: false };
  }
}

async function filesIn(folder: string): Promise<readonly { path: string; size: number }[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path, size: (await statOf(path)).size };
    }),
  );
}

async function bytesIn(folder: string): Promise<number> {
  return sum((await filesIn(folder)).map(({ size }) => size));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
