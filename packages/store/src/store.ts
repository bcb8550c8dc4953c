import type { Calls } from "./calls/calls.js";
import type { ChannelSenders } from "./channels/senders.js";
import type { CallWindows } from "./database/call-windows.js";
import type { ClientEvents } from "./database/client-events.js";
import type { Nodes } from "./database/nodes.js";
import type { Topics } from "./database/topics.js";
import type { DecisionsContext } from "./decisions/context.js";
import type { Devices } from "./devices/devices.js";
import type { Jobs } from "./jobs/jobs.js";
import type { Leases } from "./jobs/leases.js";
import type { MessagesContext } from "./messages/context.js";
import type { AppliedMigration } from "./migrations/migrations.js";
import type { PluginsContext } from "./plugins/context.js";
import type { DeadItems } from "./queues/dead-items.js";
import type { Queues } from "./queues/queues.js";
import type { Signals } from "./queues/signals.js";
import type { Routines } from "./routines/routines.js";
import type { CredentialRequests } from "./secrets/credential-requests.js";
import type { Secrets } from "./secrets/secrets.js";
import type { SessionsContext } from "./sessions/context.js";
import type { Settings } from "./settings/settings.js";
import type { Spending } from "./spending/spending.js";
import type { TurnsContext } from "./turns/context.js";
import type { PausedTasks } from "./upkeep/paused-tasks.js";
import type { Retention } from "./upkeep/retention.js";

/** Options of {@link Store.transaction}. */
export interface TransactionOptions {
  /**
   * Key of the session whose rows the work changes, and no others, sums aside that one statement adds to. On a server,
   * transactions of different sessions run at once, and any other one alone.
   */
  readonly session?: string | undefined;
}

/**
 * Durable data of a host, by context. A context has one repository for each kind of row; `sessions`
 * and `turns` are also the repository of the sessions and turns themselves.
 */
export interface Store {
  /**
   * Engine and display name of the database; the URL of a server is shown without its password. `lost` says which
   * commits it lacks although they were durable, when an exclusive start found that (SCALE-760).
   */
  readonly database: {
    readonly dialect: "sqlite" | "libsql" | "postgres";
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
  /** Work of every queue that failed for good. */
  readonly deadItems: DeadItems;
  /** Values that one part of a host tells another, by ID. */
  readonly signals: Signals;
  /** Notices to other parts of this process, delivered after the commit. */
  readonly topics: Topics;
  /** Events of the clients of the nodes of a PostgreSQL database. */
  readonly clientEvents: ClientEvents;
  /** Hosts that work on the database. */
  readonly nodes: Nodes;
  /** Calls that the nodes of a PostgreSQL database count together. */
  readonly callWindows: CallWindows;
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
   * @param options - the session, for work that changes its rows alone
   * @throws TransactionMisuseError when the outer store is used inside, or an error was caught
   */
  transaction<T>(work: (store: Store) => Promise<T>, options?: TransactionOptions): Promise<T>;
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
