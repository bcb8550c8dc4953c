import { type Calls, CallTable } from "./calls/calls.js";
import { type ChannelSenders, ChannelSenderTable } from "./channels/senders.js";
import { type CallWindows, CallWindowTable } from "./database/call-windows.js";
import { type ClientEvents, ClientEventTable } from "./database/client-events.js";
import { type Nodes, NodeTable } from "./database/nodes.js";
import type { NoticeReader } from "./database/notice-reader.js";
import type { Topics } from "./database/topics.js";
import type { UnitOfWork } from "./database/unit-of-work.js";
import { type DecisionsContext, UnitDecisions } from "./decisions/context.js";
import { type Devices, DeviceTable } from "./devices/devices.js";
import type { Engine } from "./engine/engine.js";
import { type Jobs, JobTable } from "./jobs/jobs.js";
import { type Leases, LeaseTable } from "./jobs/leases.js";
import { type MessagesContext, UnitMessages } from "./messages/context.js";
import type { TranscriptCache } from "./messages/transcript-cache.js";
import { type AppliedMigration, appliedMigrations } from "./migrations/migrations.js";
import { type PluginsContext, UnitPlugins } from "./plugins/context.js";
import { type DeadItems, DeadItemTable } from "./queues/dead-items.js";
import { type Queues, QueueTable } from "./queues/queues.js";
import { type Signals, SignalTable } from "./queues/signals.js";
import { type Routines, RoutineTable } from "./routines/routines.js";
import { type CredentialRequests, CredentialRequestTable } from "./secrets/credential-requests.js";
import { type Secrets, SecretTable } from "./secrets/secrets.js";
import { type SessionsContext, UnitSessions } from "./sessions/context.js";
import { type Settings, SettingTable } from "./settings/settings.js";
import { type Spending, SpendingTable } from "./spending/spending.js";
import type { Store, TransactionOptions } from "./store.js";
import { type TurnsContext, UnitTurns } from "./turns/context.js";
import { noteCheck } from "./upkeep/check-note.js";
import { type CommitMark, describeLostCommits } from "./upkeep/commit-mark.js";
import { PausedTaskNote, type PausedTasks } from "./upkeep/paused-tasks.js";
import { type Retention, TableRetention } from "./upkeep/retention.js";

/** Context that a store shares with its transactions. */
export interface Origin {
  readonly engine: Engine;
  readonly mark: CommitMark | undefined;
  readonly notices: NoticeReader | undefined;
  readonly newId: (now: number) => string;
}

/** The contexts of a database or of one of its transactions. Each is created on first use. */
export class UnitStore implements Store {
  readonly database: Store["database"];
  readonly #unit: UnitOfWork;
  readonly #origin: Origin;
  readonly #cache: TranscriptCache | undefined;
  #messages: MessagesContext | undefined;
  #sessions: SessionsContext | undefined;
  #turns: TurnsContext | undefined;
  #decisions: DecisionsContext | undefined;
  #plugins: PluginsContext | undefined;
  #calls: Calls | undefined;
  #channelSenders: ChannelSenders | undefined;
  #devices: Devices | undefined;
  #secrets: Secrets | undefined;
  #credentialRequests: CredentialRequests | undefined;
  #settings: Settings | undefined;
  #spending: Spending | undefined;
  #jobs: Jobs | undefined;
  #leases: Leases | undefined;
  #queues: Queues | undefined;
  #deadItems: DeadItems | undefined;
  #signals: Signals | undefined;
  #nodes: Nodes | undefined;
  #callWindows: CallWindows | undefined;
  #clientEvents: ClientEvents | undefined;
  #routines: Routines | undefined;
  #pausedTasks: PausedTasks | undefined;
  #retention: Retention | undefined;

  /**
   * @param unit - the database or transaction
   * @param origin - shared by the store and its transactions
   * @param cache - entries of transcripts; only of the store itself
   */
  constructor(unit: UnitOfWork, origin: Origin, cache?: TranscriptCache) {
    this.#unit = unit;
    this.#origin = origin;
    this.#cache = cache;
    const { engine: dialect, name } = origin.engine;
    const { lost } = origin.mark ?? {};
    this.database = {
      ...{ dialect, name },
      ...(lost === undefined ? undefined : { lost: describeLostCommits(name, lost) }),
    };
  }

  get messages(): MessagesContext {
    this.#messages ??= new UnitMessages(this.#unit, this.#origin.newId, this.#cache);
    return this.#messages;
  }

  get sessions(): SessionsContext {
    this.#sessions ??= new UnitSessions(this.#unit, this.#origin.newId);
    return this.#sessions;
  }

  get turns(): TurnsContext {
    this.#turns ??= new UnitTurns(this.#unit);
    return this.#turns;
  }

  get decisions(): DecisionsContext {
    this.#decisions ??= new UnitDecisions(this.#unit, this.#origin.newId);
    return this.#decisions;
  }

  get plugins(): PluginsContext {
    this.#plugins ??= new UnitPlugins(this.#unit);
    return this.#plugins;
  }

  get channelSenders(): ChannelSenders {
    this.#channelSenders ??= new ChannelSenderTable(this.#unit);
    return this.#channelSenders;
  }

  get devices(): Devices {
    this.#devices ??= new DeviceTable(this.#unit);
    return this.#devices;
  }

  get secrets(): Secrets {
    this.#secrets ??= new SecretTable(this.#unit);
    return this.#secrets;
  }

  get credentialRequests(): CredentialRequests {
    this.#credentialRequests ??= new CredentialRequestTable(this.#unit);
    return this.#credentialRequests;
  }

  get settings(): Settings {
    this.#settings ??= new SettingTable(this.#unit);
    return this.#settings;
  }

  get spending(): Spending {
    this.#spending ??= new SpendingTable(this.#unit);
    return this.#spending;
  }

  get jobs(): Jobs {
    this.#jobs ??= new JobTable(this.#unit);
    return this.#jobs;
  }

  get leases(): Leases {
    this.#leases ??= new LeaseTable(this.#unit);
    return this.#leases;
  }

  get topics(): Topics {
    return this.#unit.topics;
  }

  get queues(): Queues {
    this.#queues ??= new QueueTable(this.#unit);
    return this.#queues;
  }

  get deadItems(): DeadItems {
    this.#deadItems ??= new DeadItemTable(this.#unit);
    return this.#deadItems;
  }

  get signals(): Signals {
    this.#signals ??= new SignalTable(this.#unit);
    return this.#signals;
  }

  get callWindows(): CallWindows {
    this.#callWindows ??= new CallWindowTable(this.#unit);
    return this.#callWindows;
  }

  get clientEvents(): ClientEvents {
    this.#clientEvents ??= new ClientEventTable(this.#unit);
    return this.#clientEvents;
  }

  get nodes(): Nodes {
    this.#nodes ??= new NodeTable(this.#unit);
    return this.#nodes;
  }

  get routines(): Routines {
    this.#routines ??= new RoutineTable(this.#unit);
    return this.#routines;
  }

  get calls(): Calls {
    this.#calls ??= new CallTable(this.#unit);
    return this.#calls;
  }

  get pausedTasks(): PausedTasks {
    this.#pausedTasks ??= new PausedTaskNote(this.#unit);
    return this.#pausedTasks;
  }

  get retention(): Retention {
    this.#retention ??= new TableRetention(this.#unit);
    return this.#retention;
  }

  async transaction<T>(
    work: (store: Store) => Promise<T>,
    { session }: TransactionOptions = {},
  ): Promise<T> {
    return await this.#unit.atomic((unit) => work(new UnitStore(unit, this.#origin)), session);
  }

  async clock(): Promise<number> {
    return await this.#unit.clock();
  }

  async migrations(): Promise<readonly AppliedMigration[]> {
    return await appliedMigrations(this.#unit);
  }

  async check(): Promise<void> {
    // Only a commit detects a full disk or a read-only database.
    await noteCheck(this.#unit);
    await this.#origin.engine.verify();
  }

  async close(): Promise<void> {
    const { notices, mark } = this.#origin;
    await this.#unit.close(async (unit) => {
      await notices?.close();
      await mark?.close(unit);
    });
    await this.#origin.engine.release();
  }
}
