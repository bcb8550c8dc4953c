import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A database copy did not start: the source cannot be read, or the target cannot be filled. */
export class CopyRefusedError extends OpenClawError {
  static override readonly code = "COPY_REFUSED";
  static override readonly kind = "conflict";
  /** The database that prevents the copy. */
  readonly database: string;

  constructor(database: string, problem: string, nextStep: string) {
    super(`${database}: nothing was copied, because ${problem}; ${nextStep}`);
    this.database = database;
  }
}

/** The data of a plugin could not be read or written during a move to another database. */
export class PluginDataNotCopiedError extends OpenClawError {
  static override readonly code = "PLUGIN_DATA_NOT_COPIED";
  static override readonly kind = "internal";
  readonly pluginId: string;

  constructor(pluginId: string, problem: string, options?: { cause?: unknown }) {
    super(
      `the data of plugin "${pluginId}" was not copied: ${problem}; the source is unchanged: ` +
        `run the same command again, or add \`--without ${pluginId}\` to leave this data behind`,
      options,
    );
    this.pluginId = pluginId;
  }
}

/** A copy into this database was not finished, so rows are missing. */
export class DatabaseIncompleteError extends OpenClawError {
  static override readonly code = "DATABASE_INCOMPLETE";
  static override readonly kind = "configuration";
  readonly database: string;
  /** The database that it is copied from. */
  readonly source: string;

  constructor(database: string, source: string) {
    super(
      `the copy from ${source} to ${database} is incomplete; finish it with the same ` +
        "`openclaw db migrate`, or empty the database",
    );
    this.database = database;
    this.source = source;
  }
}

/** A backup was not written or not restored. */
export class BackupRefusedError extends OpenClawError {
  static override readonly code = "BACKUP_REFUSED";
  static override readonly kind = "conflict";
  readonly file: string;

  constructor(file: string, problem: string, nextStep: string, cause?: unknown) {
    super(`${file} ${problem}; ${nextStep}`, { cause });
    this.file = file;
  }
}
