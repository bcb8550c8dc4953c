import { errorMessage } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { Lease } from "./database/lease.js";

/** Reason why a database, or one of its side files, is not usable. */
export type UnavailableReason =
  | "missing-folder"
  | "cannot-open"
  | "read-only"
  | "full"
  | "corrupt"
  | "busy"
  | "input-output"
  | "flush-failed"
  | "replaced"
  | "empty"
  | "several-names"
  | "unreachable"
  | "outcome-unknown"
  | "access-denied"
  | "missing-database"
  | "standby"
  | "unsupported"
  | "not-installed";

const UNAVAILABLE: Readonly<Record<UnavailableReason, string>> = {
  "missing-folder": "its folder does not exist; create the folder first (mode 0700)",
  "cannot-open":
    "the file cannot be opened; check that it is a file and that this user may read and write it and its folder",
  "read-only":
    "the file cannot be written; give this user write access to the file and its folder, or mount the file system writable",
  full: "the disk is full; free some space and try again, nothing of this write was kept",
  corrupt:
    "the file is damaged or is not a database; restore a backup, or move the file aside to begin with an empty one",
  busy: "another process has locked the database; stop that process, or try again when it has finished",
  "input-output":
    "the operating system reported a read or write error; check the disk and the system log",
  "flush-failed":
    "the operating system could not write to the disk what was committed, so nothing more is accepted; check the disk and the system log, then start again",
  replaced:
    "the file was moved, deleted or replaced while it was open; stop, put the file back and start again, otherwise new writes are lost",
  empty:
    "the file is empty, although OpenClaw never leaves an empty file, so its contents are lost; restore a backup, or delete the file to begin with an empty database",
  "several-names":
    "the file has several names (hard links), with which two hosts could open it without noticing each other; keep one name and delete the others",
  unreachable:
    "the server cannot be reached or ended the connection, and nothing of this write was kept; check that it is running and that host and port are correct, then try again",
  "outcome-unknown":
    "the connection was lost during a commit, and the server did not report whether the commit succeeded; check before you repeat the write",
  "access-denied":
    "the server rejected the user or the password, or denied the permission; check the user and password of the URL, and allow the user to create a schema, or create it for them",
  "missing-database": "the database does not exist on the server; create it first (createdb)",
  standby:
    "the connection is read-only, for example because the server is a standby; use the URL of the primary",
  unsupported: "the server is older than PostgreSQL 15; upgrade it",
  "not-installed":
    "libSQL needs the package @libsql/client, which is optional; install it next to OpenClaw (npm install @libsql/client)",
};

/** The database cannot be opened, read or written. */
export class StoreUnavailableError extends OpenClawError {
  static override readonly code = "STORE_UNAVAILABLE";
  static override readonly kind = "unavailable";
  readonly file: string;
  readonly reason: UnavailableReason;
  /** Error code of the engine or the operating system, for example `SQLITE_FULL` or `EACCES`. */
  readonly detail: string | undefined;

  constructor(
    file: string,
    reason: UnavailableReason,
    options: { detail?: string | undefined; advice?: string; cause?: unknown } = {},
  ) {
    const detail = options.detail === undefined ? "" : ` (${options.detail})`;
    const advice = options.advice === undefined ? "" : `; ${options.advice}`;
    super(`store ${file}: ${UNAVAILABLE[reason]}${detail}${advice}`, { cause: options.cause });
    this.file = file;
    this.reason = reason;
    this.detail = options.detail;
  }
}

/** The database was written by a newer version of OpenClaw. */
export class SchemaTooNewError extends OpenClawError {
  static override readonly code = "SCHEMA_TOO_NEW";
  static override readonly kind = "configuration";
  readonly file: string;
  /** Migrations in the database that this version does not have. */
  readonly unknown: readonly string[];

  constructor(file: string, newestKnown: string, unknown: readonly string[]) {
    super(
      `store ${file}: this version has migrations up to ${newestKnown}, but the database also has ` +
        `${unknown.join(", ")}; start the newer version that wrote it, or restore a backup from before the upgrade`,
    );
    this.file = file;
    this.unknown = unknown;
  }
}

/** A migration that was already applied differs from the one in the code. */
export class MigrationChangedError extends OpenClawError {
  static override readonly code = "MIGRATION_CHANGED";
  static override readonly kind = "configuration";
  readonly file: string;
  readonly migration: string;

  constructor(file: string, migration: string, expected: string, found: string) {
    super(
      `store ${file}: migration ${migration} is ${expected} in this version, but the database applied ${found}; ` +
        "an applied migration must not change: undo the edit and put the change into a new migration",
    );
    this.file = file;
    this.migration = migration;
  }
}

/** A statement of a migration failed; the migration was rolled back. */
export class MigrationFailedError extends OpenClawError {
  static override readonly code = "MIGRATION_FAILED";
  static override readonly kind = "internal";
  readonly file: string;
  readonly migration: string;

  constructor(file: string, migration: string, cause: unknown) {
    const reason = errorMessage(cause);
    super(
      `store ${file}: migration ${migration} failed: ${reason}; ` +
        "it was rolled back; correct it and open the database again",
      { cause },
    );
    this.file = file;
    this.migration = migration;
  }
}

/** Process that holds a state lock. */
export interface LockHolder {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** TCP port the holder listens on, once it does. */
  readonly port?: number | undefined;
  /** Host name for URLs with that port; 127.0.0.1 when absent. */
  readonly host?: string | undefined;
  /** Token of this process for commands on the machine; absent when it accepts the token of the state folder. */
  readonly localToken?: string | undefined;
}

const WRITABLE = "make it writable for this user, or choose another folder with OPENCLAW_STATE_DIR";

/** The state folder cannot be created or written, or its content is not usable. */
export class StateFolderError extends OpenClawError {
  static override readonly code = "STATE_FOLDER_UNUSABLE";
  static override readonly kind = "forbidden";
  // The host cannot access the folder; the client is not forbidden to call the method.
  static override readonly surface = { httpStatus: 500, wireCode: "INTERNAL" } as const;
  readonly folder: string;

  constructor(
    folder: string,
    problem: string,
    { nextStep = WRITABLE, cause }: { nextStep?: string; cause?: unknown } = {},
  ) {
    super(`the state folder ${folder} ${problem}; ${nextStep}`, { cause });
    this.folder = folder;
  }
}

/** Another process, or this one, already holds the state folder (GW-008). */
export class StateLockedError extends OpenClawError {
  static override readonly code = "STATE_LOCKED";
  static override readonly kind = "busy";
  readonly file: string;
  /** Absent when the holder has not written its details yet. */
  readonly holder: LockHolder | undefined;

  constructor(file: string, holder: LockHolder | undefined) {
    super(
      `state lock ${file} is held by ${describeHolder(holder)}; ` +
        "stop that process first, or use another state folder" +
        // Nothing else can connect to a chat or command that hosts the agent in its own process.
        (holder !== undefined && holder.port === undefined
          ? ". It accepts no connections; a gateway (run `openclaw`) serves several chats and commands at once"
          : ""),
    );
    this.file = file;
    this.holder = holder;
  }
}

function describeHolder(holder: LockHolder | undefined): string {
  if (holder === undefined) return "a process that has not written its details";
  const port = holder.port === undefined ? "" : `, port ${holder.port}`;
  return `process ${holder.pid} (started ${new Date(holder.startedAt).toISOString()}${port})`;
}

/** Another host uses the database exclusively. */
export class DatabaseInUseError extends OpenClawError {
  static override readonly code = "DATABASE_IN_USE";
  static override readonly kind = "busy";
  readonly file: string;
  /**
   * Holder as the database reports it, for example `openclaw, process 7 of machine at 10.0.0.2`.
   */
  readonly holder: string | undefined;

  constructor(file: string, holder: string | undefined, options: { cause?: unknown } = {}) {
    super(
      `store ${file} is in use by ${holder ?? "another host"}; ` +
        "stop that host first, or use another database or schema",
      options,
    );
    this.file = file;
    this.holder = holder;
  }
}

/** An object was used after it was closed, released or ended. */
export class StoreClosedError extends OpenClawError {
  static override readonly code = "STORE_CLOSED";
  static override readonly kind = "internal";

  constructor(what: string, nextStep: string) {
    super(`${what} was used after it was closed; ${nextStep}`);
  }
}

/** A transaction was used incorrectly. */
export class TransactionMisuseError extends OpenClawError {
  static override readonly code = "TRANSACTION_MISUSE";
  static override readonly kind = "internal";
}

/** A call named a row that does not exist. */
export class RowNotFoundError extends OpenClawError {
  static override readonly code = "ROW_NOT_FOUND";
  static override readonly kind = "not-found";

  constructor(call: string, missing: string, nextStep: string) {
    super(`${call}: ${missing} does not exist; ${nextStep}`);
  }
}

/** A row exists, but its state does not allow the operation. */
export class RowStateError extends OpenClawError {
  static override readonly code = "ROW_STATE";
  static override readonly kind = "conflict";
  /** The state the row is in. */
  readonly state: string;

  constructor(call: string, state: string, expected: string, nextStep: string) {
    super(`${call}: expected a row that is ${expected}, but it is ${state}; ${nextStep}`);
    this.state = state;
  }
}

/** A row violates a constraint of its table. */
export class RowConstraintError extends OpenClawError {
  static override readonly code = "ROW_CONSTRAINT";
  static override readonly kind = "conflict";
  readonly constraint: "foreign-key" | "other";

  constructor(constraint: "foreign-key" | "other", detail: string, cause: unknown) {
    super(`store: the database rejected a row: ${detail}; nothing of this write was kept`, {
      cause,
    });
    this.constraint = constraint;
  }
}

/** A value cannot be stored, or a stored value is invalid. */
export class RowDataError extends OpenClawError {
  static override readonly code = "ROW_DATA";
  static override readonly kind = "internal";
}

/** The journal of a run was written by a newer version of OpenClaw. */
export class JournalTooNewError extends OpenClawError {
  static override readonly code = "JOURNAL_TOO_NEW";
  static override readonly kind = "configuration";
  readonly runId: string;
  readonly format: number;

  constructor(runId: string, format: number, newestKnown: number) {
    super(
      `the journal of run ${runId} has format ${format}, but this version reads only formats up to ${newestKnown}; start the newer version again, or send the message again`,
    );
    this.runId = runId;
    this.format = format;
  }
}

/** The journal of a run is encrypted, and the store was opened without the key of its host (APPR-011). */
export class JournalSealedError extends OpenClawError {
  static override readonly code = "JOURNAL_SEALED";
  static override readonly kind = "configuration";

  constructor(runId: string) {
    super(
      `the journal of run ${runId} is encrypted, and its key is not available here; read it with the commands of the host that wrote it`,
    );
  }
}

/** A call was given an argument outside its range. */
export class StoreArgumentError extends OpenClawError {
  static override readonly code = "STORE_ARGUMENT";
  static override readonly kind = "invalid";

  constructor(call: string, argument: string, expected: string, got: unknown) {
    super(`${call}: ${argument} must be ${expected}, got ${String(got)}`);
  }
}

/** Work was done by a node under a lease that another node has by now (SCALE-007). */
export class StaleFenceError extends OpenClawError {
  static override readonly code = "STALE_FENCE";
  static override readonly kind = "conflict";

  constructor({ key, owner, token }: Lease) {
    super(
      `node ${owner} has lost the lease ${token} of ${key}, so nothing was stored; ` +
        "another node continues the work, and its reply follows from there",
    );
  }
}

export { JobBudgetExceededError, JobTransitionError, LeaseLostError } from "./jobs/errors.js";
export { SessionArchiveError } from "./sessions/errors.js";
export {
  BackupRefusedError,
  CopyRefusedError,
  DatabaseIncompleteError,
  PluginDataNotCopiedError,
} from "./upkeep/errors.js";
