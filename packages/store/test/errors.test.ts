import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import * as store from "../src/errors.js";

const errors = [
  new store.BackupRefusedError("file", "already exists", "use a new file name"),
  new store.CopyRefusedError("database", "it has rows", "name an empty one"),
  new store.DatabaseInUseError("database", "process 1"),
  new store.DatabaseIncompleteError("database", "source"),
  new store.JobBudgetExceededError("job", "tokens", "11", "10"),
  new store.JobTransitionError("job", "failed", "pending"),
  new store.JournalSealedError("run"),
  new store.JournalTooNewError("run", 2, 1),
  new store.LeaseLostError("job:one", "host", 1),
  new store.MigrationChangedError("file", "0001-a", "one", "another"),
  new store.MigrationFailedError("file", "0001-a", new Error("no such table")),
  new store.PluginDataNotCopiedError("guard", "the disk is full"),
  new store.RowConstraintError("other", "detail", undefined),
  new store.RowDataError("message"),
  new store.RowNotFoundError("call", "row", "next step"),
  new store.RowStateError("call", "found", "expected", "next step"),
  new store.SchemaTooNewError("file", "0001-a", ["0002-b"]),
  new store.SessionArchiveError("it is none", "give another"),
  new store.StaleFenceError({ key: "session:one", owner: "node", token: 1 }),
  new store.StateFolderError("/state", "is full"),
  new store.StateLockedError("file", { pid: 1, startedAt: 0 }),
  new store.StoreArgumentError("call", "argument", "expected", 1),
  new store.StoreClosedError("what", "next step"),
  new store.StoreUnavailableError("file", "full"),
  new store.TransactionMisuseError("message"),
];

describe("errors of the store", () => {
  it("are all covered here", () => {
    const exported = Object.entries(store).filter(([name]) => name.endsWith("Error"));
    expect(errors.map(({ name }) => name).sort()).toEqual(exported.map(([name]) => name).sort());
  });

  it("have unique codes, by which they are recognised across copies of the package", () => {
    expect(Object.fromEntries(errors.map(({ name, code }) => [name, code]))).toEqual({
      BackupRefusedError: "BACKUP_REFUSED",
      CopyRefusedError: "COPY_REFUSED",
      DatabaseInUseError: "DATABASE_IN_USE",
      DatabaseIncompleteError: "DATABASE_INCOMPLETE",
      JobBudgetExceededError: "JOB_BUDGET_EXCEEDED",
      JobTransitionError: "JOB_TRANSITION",
      JournalSealedError: "JOURNAL_SEALED",
      JournalTooNewError: "JOURNAL_TOO_NEW",
      LeaseLostError: "LEASE_LOST",
      MigrationChangedError: "MIGRATION_CHANGED",
      MigrationFailedError: "MIGRATION_FAILED",
      PluginDataNotCopiedError: "PLUGIN_DATA_NOT_COPIED",
      RowConstraintError: "ROW_CONSTRAINT",
      RowDataError: "ROW_DATA",
      RowNotFoundError: "ROW_NOT_FOUND",
      RowStateError: "ROW_STATE",
      SchemaTooNewError: "SCHEMA_TOO_NEW",
      SessionArchiveError: "SESSION_ARCHIVE_REFUSED",
      StaleFenceError: "STALE_FENCE",
      StateFolderError: "STATE_FOLDER_UNUSABLE",
      StateLockedError: "STATE_LOCKED",
      StoreArgumentError: "STORE_ARGUMENT",
      StoreClosedError: "STORE_CLOSED",
      StoreUnavailableError: "STORE_UNAVAILABLE",
      TransactionMisuseError: "TRANSACTION_MISUSE",
    });
    for (const error of errors) {
      expect(OpenClawError.isInstance(error)).toBe(true);
      expect(errors.filter((other) => sameClass(error, other))).toEqual([error]);
    }
  });

  it("name the subject, the problem and the next step", () => {
    expect(errors.map(({ message }) => message)).toEqual([
      "file already exists; use a new file name",
      "database: nothing was copied, because it has rows; name an empty one",
      "store database is in use by process 1; stop that host first, or use another database or schema",
      "the copy from source to database is incomplete; finish it with the same `openclaw db migrate`, or empty the database",
      "job job used 11 of the 10 that its budget of tokens allows; create it again with a larger budget",
      "Cannot transition from failed to pending: job job was not changed; `openclaw jobs show job` shows what happened to it",
      "the journal of run run is encrypted, and its key is not available here; read it with the commands of the host that wrote it",
      "the journal of run run has format 2, but this version reads only formats up to 1; start the newer version again, or send the message again",
      "the lease 1 of job:one is no longer held by host, so nothing was stored; the holder of the newer lease continues the work",
      "store file: migration 0001-a is one in this version, but the database applied another; an applied migration must not change: undo the edit and put the change into a new migration",
      "store file: migration 0001-a failed: no such table; it was rolled back; correct it and open the database again",
      'the data of plugin "guard" was not copied: the disk is full; the source is unchanged: run the same command again, or add `--without guard` to leave this data behind',
      "store: the database rejected a row: detail; nothing of this write was kept",
      "message",
      "call: row does not exist; next step",
      "call: expected a row that is expected, but it is found; next step",
      "store file: this version has migrations up to 0001-a, but the database also has 0002-b; start the newer version that wrote it, or restore a backup from before the upgrade",
      "the session was not imported: it is none; give another",
      "node node has lost the lease 1 of session:one, so nothing was stored; another node continues the work, and its reply follows from there",
      "the state folder /state is full; make it writable for this user, or choose another folder with OPENCLAW_STATE_DIR",
      "state lock file is held by process 1 (started 1970-01-01T00:00:00.000Z); stop that process first, or use another state folder. It accepts no connections; a gateway (run `openclaw`) serves several chats and commands at once",
      "call: argument must be expected, got 1",
      "what was used after it was closed; next step",
      "store file: the disk is full; free some space and try again, nothing of this write was kept",
      "message",
    ]);
  });
});

function sameClass(error: OpenClawError, other: OpenClawError): boolean {
  return error.code === other.code && error.constructor === other.constructor;
}
