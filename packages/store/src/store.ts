import { resolve } from "node:path";
import { orderedIds } from "@openclaw/foundation";
import type { Calls } from "./calls/calls.js";
import type { ChannelSenders } from "./channels/senders.js";
import { MIGRATIONS } from "./contexts.js";
import type { JournalCipher } from "./database/journal-cipher.js";
import type { DecisionsContext } from "./decisions/context.js";
import type { Devices } from "./devices/devices.js";
import { type DatabasePlace, databasePlace } from "./engine/database-url.js";
import type { Engine } from "./engine/engine.js";
import type { FlushFile } from "./engine/log-flush.js";
import { openEngine } from "./engine/open-engine.js";
import { type Durability, IN_MEMORY } from "./engine/sqlite.js";
import { steadyClock } from "./engine/steady-clock.js";
import { DatabaseIncompleteError } from "./errors.js";
import type { Jobs } from "./jobs/jobs.js";
import type { Leases } from "./jobs/leases.js";
import type { MessagesContext } from "./messages/context.js";
import { TranscriptCache } from "./messages/transcript-cache.js";
import { migratedImage } from "./migrated-image.js";
import { type AppliedMigration, migrate } from "./migrations/migrations.js";
import type { PluginsContext } from "./plugins/context.js";
import type { Queues } from "./queues/queues.js";
import type { Routines } from "./routines/routines.js";
import type { CredentialRequests } from "./secrets/credential-requests.js";
import type { Secrets } from "./secrets/secrets.js";
import type { SessionsContext } from "./sessions/context.js";
import type { Settings } from "./settings/settings.js";
import type { Spending } from "./spending/spending.js";
import type { TurnsContext } from "./turns/context.js";
import { UnitStore } from "./unit-store.js";
import { CommitMark } from "./upkeep/commit-mark.js";
import { readCopyNote } from "./upkeep/copy-note.js";
import type { PausedTasks } from "./upkeep/paused-tasks.js";
import type { Retention } from "./upkeep/retention.js";

/**
 * Durable data of a host, by context. A context has one repository for each kind of row; `sessions`
 * and `turns` are also the repository of the sessions and turns themselves.
 */
export interface Store {
  /**
   * Dialect and display name of the database; the URL of a server is shown without its password. `lost` says which
   * commits it lacks although they were durable, when an exclusive start found that (SCALE-760).
   */
  readonly database: {
    readonly dialect: "sqlite" | "postgres";
    readonly name: string;
    readonly lost?: string | undefined;
  };
  /** Inbox, outbox, transcripts and their compactions. */
  readonly messages: MessagesContext;
  /** Sessions and their data. */
  readonly sessions: SessionsContext;
  /** Turns, their journals and their traces. */
  readonly turns: TurnsContext;
  /** Approvals, grants, policy decisions and the audit logs. */
  readonly decisions: DecisionsContext;
  /** Key-value data of plugins. */
  readonly plugins: PluginsContext;
  /** Calls of clients with an idempotency key. */
  readonly calls: Calls;
  /** Calls of models, what they cost, and the limits of that cost. */
  readonly spending: Spending;
  /** Senders whom channels accept, and requests to be accepted. */
  readonly channelSenders: ChannelSenders;
  /** Devices that connect with a key. */
  readonly devices: Devices;
  /** Encrypted secrets. */
  readonly secrets: Secrets;
  /** Values of the configuration that the operator stores in the database. */
  readonly settings: Settings;
  /** Sessions that wait for a credential. */
  readonly credentialRequests: CredentialRequests;
  /** Work in the background. */
  readonly jobs: Jobs;
  /** Rights of one owner to work on something. */
  readonly leases: Leases;
  /** Queues of work. */
  readonly queues: Queues;
  /** Work at times that a schedule names. */
  readonly routines: Routines;
  /** Background tasks that an operator paused. */
  readonly pausedTasks: PausedTasks;
  /** Removes expired rows in every context. */
  readonly retention: Retention;
  /**
   * Runs work in a transaction, which commits when the promise of `work` resolves, and rolls back
   * when it rejects. Other calls wait until then, so avoid slow operations in it, and await every
   * call.
   *
   * A nested transaction joins the outer one. When it fails, the outer one can no longer commit,
   * even if the error is caught.
   * @param work - receives the store to use; the outer store throws inside
   * @throws TransactionMisuseError when the outer store is used inside, or an error was caught
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /**
   * Returns the database's clock, in milliseconds since the epoch. Expiry and due times are
   * compared with it, so that hosts whose own clocks differ get the same result (SCALE-004).
   */
  clock(): Promise<number>;
  /** Returns the migrations of the database, oldest first. */
  migrations(): Promise<readonly AppliedMigration[]>;
  /**
   * Writes a row to verify that the database is writable and was not replaced. Cheap enough for a
   * readiness probe.
   * @throws StoreUnavailableError when it is not writable, or was replaced
   */
  check(): Promise<void>;
  /** Waits for work in progress, then closes the database. Throws inside a transaction. */
  close(): Promise<void>;
}

/** Location of a store's database: a SQLite file, or a URL. */
export type StorePlace =
  | {
      /**
       * Path of the database file, whose folder must exist; `:memory:` keeps nothing after closing.
       */
      readonly file: string;
    }
  | {
      /** `file:<path>`, or `postgres://<user>@<host>/<database>` with an optional `?schema=`. */
      readonly url: string;
      /** Base folder of a relative path; default the current folder. */
      readonly folder?: string | undefined;
    };

/** Options for opening a store. */
export type OpenStoreOptions = StorePlace & {
  /**
   * `power` (default): an acknowledged row survives a power failure. `process`: it survives the end
   * of the process, but a power failure may lose the most recent rows.
   */
  readonly durability?: Durability | undefined;
  /**
   * The clock of this host, in milliseconds since the epoch. When absent, that of the machine, which
   * continues within the process when the machine's is set back.
   */
  readonly now?: (() => number) | undefined;
  /**
   * Replaces the database's clock, to test expiry. Default: a server uses its own clock, SQLite
   * uses `now`.
   */
  readonly databaseClock?: (() => number) | undefined;
  /** Excludes other stores that also set it: only one host resumes the turns of its database. */
  readonly exclusive?: boolean | undefined;
  /** Replaces the flush of SQLite's log, to test its delays and failures. */
  readonly flushFile?: FlushFile | undefined;
  /** Encrypts the steps of turns, which contain the parameters of tool calls (APPR-011). */
  readonly journalCipher?: JournalCipher | undefined;
};

/**
 * Opens a database, creating it when it does not exist, and migrates it to the newest schema.
 * @throws StoreArgumentError for an invalid URL
 * @throws StoreUnavailableError when the database cannot be opened, read or written
 * @throws DatabaseInUseError when `exclusive` is set and another host uses it exclusively
 * @throws SchemaTooNewError when a newer version of OpenClaw wrote it
 * @throws MigrationChangedError when its history differs from this version's
 * @throws DatabaseIncompleteError when a copy into it was not finished
 */
export async function openStore({
  durability = "power",
  now = steadyClock(),
  databaseClock,
  exclusive = false,
  flushFile,
  journalCipher,
  ...place
}: OpenStoreOptions): Promise<Store> {
  const database = placeOf(place);
  const isInMemory = database.engine === "sqlite" && database.file === IN_MEMORY;
  const image = isInMemory ? await migratedImage() : undefined;
  const options = { durability, now, databaseClock, exclusive, flushFile, journalCipher, image };
  const engine = await openEngine(database, options);
  const { unit, name, words } = engine;
  try {
    await migrate(unit, name, words, MIGRATIONS);
    const copy = await readCopyNote(unit);
    if (copy?.state === "copying") throw new DatabaseIncompleteError(name, copy.source);
    const mark = await markCommits(engine);
    return new UnitStore(unit, { engine, mark, newId: orderedIds() }, new TranscriptCache());
  } catch (error) {
    await unit.close();
    await engine.release();
    throw error;
  }
}

function placeOf(place: StorePlace): DatabasePlace {
  if ("url" in place) return databasePlace(place.url, place.folder);
  const { file } = place;
  return { engine: "sqlite", file: file === IN_MEMORY ? file : resolve(file) };
}

/** Compares the database of a host with the number of its commits, and counts on from there. */
async function markCommits({ own, unit }: Engine): Promise<CommitMark | undefined> {
  if (own === undefined) return undefined;
  const mark = await CommitMark.open({ unit, file: own.file }, own.isNew);
  own.onCommit(() => mark.committed());
  return mark;
}
