import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { removeFile } from "@openclaw/foundation/file-replacement";
import {
  backupHostDatabase,
  type DatabaseOwner,
  hostDatabaseStatus,
  restoreHostDatabase,
  serverBackupOf,
} from "@openclaw/gateway/upkeep";
import { UpdateRefusedError } from "./errors.js";

/** Copy of the database and the configuration from before an update. */
export class StateBackup {
  readonly folder: string;
  readonly #owner: DatabaseOwner;
  readonly #configurationFile: string;
  #hasDatabase = false;
  #hasConfiguration = false;

  /**
   * @param configurationFile - path of the configuration file, which may not exist
   * @param now - milliseconds since the epoch, for the name of the folder
   */
  constructor(owner: DatabaseOwner, configurationFile: string, now: number) {
    this.#owner = owner;
    this.#configurationFile = configurationFile;
    const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+Z/g, "");
    this.folder = join(owner.state.dir, "backups", `update-${time}`);
  }

  /**
   * Checks that a backup is possible.
   * @throws UpdateRefusedError for a database on a server
   */
  async check(): Promise<void> {
    const { dialect, exists } = await hostDatabaseStatus(this.#owner);
    this.#hasDatabase = exists;
    const command = serverBackupOf(this.#owner, join(this.folder, "openclaw.dump"));
    if (command === undefined) return;
    throw new UpdateRefusedError(
      `the database is on a ${dialect === "postgres" ? "PostgreSQL" : "libSQL"} server, which OpenClaw cannot restore by itself`,
      `back it up with \`${command}\`, stop the gateway, update the package by hand, and run \`openclaw gateway check\``,
    );
  }

  /** Writes the backup; the host is stopped. */
  async write(): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    if (this.#hasDatabase) {
      await backupHostDatabase(this.#owner, join(this.folder, "openclaw.db"));
    }
    this.#hasConfiguration = existsSync(this.#configurationFile);
    if (this.#hasConfiguration) copyFileSync(this.#configurationFile, this.#copy());
  }

  /** Restores database and configuration; what the new version left is kept in the folder of the backup. */
  async restore(): Promise<void> {
    if (existsSync(this.#configurationFile)) {
      // A copy, because a file that is mounted alone cannot be moved.
      copyFileSync(this.#configurationFile, `${this.#copy()}.of-the-new-version`);
    }
    if (this.#hasConfiguration) copyFileSync(this.#copy(), this.#configurationFile);
    else removeFile(this.#configurationFile);
    if (this.#hasDatabase) {
      await restoreHostDatabase(this.#owner, join(this.folder, "openclaw.db"));
      return;
    }
    for (const suffix of ["", "-wal", "-shm"]) {
      removeFile(`${this.#owner.state.databaseFile}${suffix}`);
    }
  }

  #copy(): string {
    return join(this.folder, basename(this.#configurationFile));
  }
}
