import { releaseTimer, type TimerHandle, type Timers } from "../clock.js";
import { errorMessage } from "../error-message.js";

/** Failures in a row after which a task is reported (HOST-025). */
const REPORTED_FAILURES = 5;

/** Work that a host does in the background, again and again. */
export interface BackgroundTask {
  /** Unique name, for example `retention`. */
  readonly name: string;
  /** Plugin whose work it is; absent for work of the host. */
  readonly pluginId?: string | undefined;
  /** Usual time between two runs in milliseconds; undefined for one whose times follow from its work. */
  readonly intervalMs?: (() => number) | undefined;
  /** True for work on what this process alone has: on several nodes it runs on each, and other work on one of them. */
  readonly isLocal?: boolean | undefined;
  /** Does the work once. A throw is logged, and the task runs again at its next time. */
  run(): Promise<void>;
}

/** State of a task. Times are milliseconds since the epoch. */
export interface TaskState {
  readonly name: string;
  readonly pluginId?: string | undefined;
  readonly intervalMs?: number | undefined;
  readonly isRunning: boolean;
  readonly isPaused: boolean;
  /** Start of its last run. */
  readonly lastRunAt?: number | undefined;
  readonly lastDurationMs?: number | undefined;
  /** Error of its last run; absent when that succeeded. */
  readonly lastError?: string | undefined;
  /** Number of runs in a row that failed. */
  readonly failures: number;
  /** Time of its next run; absent when it waits for work, or is paused. */
  readonly nextRunAt?: number | undefined;
}

/** Sets the times of a task. */
export interface TaskSchedule {
  /**
   * Runs the task after a time. A time that was set before no longer counts.
   * @param ms - milliseconds from now
   */
  in(ms: number): void;
  /** Forgets the time that was set. */
  cancel(): void;
  /** Starts no further run, and removes the task from the list; a current run finishes. Its pause is kept for its name. */
  remove(): void;
}

/** Dependencies of {@link BackgroundTasks}. */
export interface BackgroundTasksDependencies {
  readonly timers: Timers;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Called with each failed run.
   * @param problem - text for the log
   * @param isReported - true for one of a row that a person has to look at
   */
  failed(problem: string, isReported: boolean): void;
  /** Keeps pauses after the end of the process; they end with it when absent. */
  readonly pauses?: {
    /** Names of the tasks that were paused when the last process ended. */
    readonly earlier: readonly string[];
    /**
     * Stores whether a task is paused.
     * @param name - name of the task
     * @param isPaused - false when it is resumed
     */
    keep(name: string, isPaused: boolean): Promise<void>;
  };
}

interface Entry {
  readonly task: BackgroundTask;
  timer: TimerHandle | undefined;
  dueAt: number | undefined;
  /** The current run; undefined between two runs. */
  running: Promise<void> | undefined;
  lastRunAt: number | undefined;
  lastDurationMs: number | undefined;
  lastError: string | undefined;
  failures: number;
  isRemoved: boolean;
}

/** The background tasks of a host: their timers, and how their runs ended (HOST-024). */
export class BackgroundTasks {
  readonly #dependencies: BackgroundTasksDependencies;
  readonly #entries = new Map<string, Entry>();
  /** Names of the paused tasks; also of ones that are not added yet. */
  readonly #paused: Set<string>;
  #isClosed = false;
  #isStandingBy = false;

  /** @param dependencies - timers, clock, receiver of failures, and what keeps the pauses */
  constructor(dependencies: BackgroundTasksDependencies) {
    this.#dependencies = dependencies;
    this.#paused = new Set(dependencies.pauses?.earlier);
  }

  /** Adds a task, or replaces the one with its name. It runs at the times that are set, unless its name is paused. */
  add(task: BackgroundTask): TaskSchedule {
    const entry: Entry = {
      ...{ task, timer: undefined, dueAt: undefined, running: undefined },
      ...{ lastRunAt: undefined, lastDurationMs: undefined, lastError: undefined, failures: 0 },
      isRemoved: false,
    };
    const before = this.#entries.get(task.name);
    if (before !== undefined) this.#cancel(before);
    this.#entries.set(task.name, entry);
    return {
      in: (ms) => this.#schedule(entry, ms),
      cancel: () => this.#cancel(entry),
      remove: () => this.#remove(entry),
    };
  }

  /**
   * Starts no runs of tasks that another node runs, until it is called again with `false`; then tasks that were due
   * meanwhile run at once (HOST-025).
   * @param isStandingBy - true while another node runs them
   */
  standBy(isStandingBy: boolean): void {
    const { timers, now } = this.#dependencies;
    this.#isStandingBy = isStandingBy;
    for (const entry of this.#entries.values()) {
      const { dueAt } = entry;
      if (dueAt === undefined || entry.task.isLocal === true) continue;
      timers.clearTimeout(entry.timer);
      entry.timer = undefined;
      this.#schedule(entry, Math.max(0, dueAt - now()));
    }
  }

  /** Returns the state of each task, in the order of their names. */
  list(): readonly TaskState[] {
    const states = [...this.#entries.values()].map((entry) => this.#stateOf(entry));
    return states.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * Starts no run of a task until it is resumed, also in a later process. A current run finishes.
   * @param name - name of the task
   * @returns undefined when there is no such task
   */
  async pause(name: string): Promise<TaskState | undefined> {
    const { timers, pauses } = this.#dependencies;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    await pauses?.keep(name, true);
    this.#paused.add(name);
    timers.clearTimeout(entry.timer);
    entry.timer = undefined;
    return this.#stateOf(entry);
  }

  /**
   * Lets the runs of a task begin again; one that was due meanwhile begins at once.
   * @param name - name of the task
   * @returns undefined when there is no such task
   */
  async resume(name: string): Promise<TaskState | undefined> {
    const { now, pauses } = this.#dependencies;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (this.#paused.has(name)) {
      await pauses?.keep(name, false);
      this.#paused.delete(name);
      const { dueAt } = entry;
      if (dueAt !== undefined) this.#schedule(entry, Math.max(0, dueAt - now()));
    }
    return this.#stateOf(entry);
  }

  /**
   * Runs a task now, also a paused one, and resolves with its state when the run has ended.
   * @param name - name of the task
   * @returns undefined when there is no such task
   */
  async runNow(name: string): Promise<TaskState | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    await this.#run(entry);
    return this.#stateOf(entry);
  }

  /** Starts no further run, and resolves when the current ones have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of this.#entries.values()) this.#cancel(entry);
    await Promise.all([...this.#entries.values()].map(({ running }) => running));
  }

  #schedule(entry: Entry, ms: number): void {
    const { timers, now } = this.#dependencies;
    timers.clearTimeout(entry.timer);
    entry.timer = undefined;
    if (this.#isClosed || entry.isRemoved) return;
    entry.dueAt = now() + ms;
    if (this.#paused.has(entry.task.name)) return;
    if (this.#isStandingBy && entry.task.isLocal !== true) return;
    entry.timer = timers.setTimeout(() => {
      entry.timer = undefined;
      entry.dueAt = undefined;
      const { intervalMs } = entry.task;
      // A run during another one is skipped (JOB-019).
      if (entry.running === undefined) void this.#run(entry);
      else if (intervalMs !== undefined) this.#schedule(entry, intervalMs());
    }, ms);
    // A task does not keep the process from its end.
    releaseTimer(entry.timer);
  }

  #remove(entry: Entry): void {
    entry.isRemoved = true;
    this.#cancel(entry);
    if (this.#entries.get(entry.task.name) === entry) this.#entries.delete(entry.task.name);
  }

  #cancel(entry: Entry): void {
    this.#dependencies.timers.clearTimeout(entry.timer);
    entry.timer = undefined;
    entry.dueAt = undefined;
  }

  /** Runs a task; during another run of it, waits for that run instead. */
  async #run(entry: Entry): Promise<void> {
    if (this.#isClosed) return;
    entry.running ??= this.#runOnce(entry).finally(() => {
      entry.running = undefined;
    });
    await entry.running;
  }

  async #runOnce(entry: Entry): Promise<void> {
    const { now, failed } = this.#dependencies;
    const { task } = entry;
    const startedAt = now();
    entry.lastRunAt = startedAt;
    try {
      await task.run();
      entry.failures = 0;
      entry.lastError = undefined;
    } catch (error) {
      entry.failures += 1;
      entry.lastError = errorMessage(error);
      const { failures, lastError } = entry;
      const times = failures === 1 ? "" : ` ${failures} times in a row`;
      const isReported = failures % REPORTED_FAILURES === 0;
      failed(`the background task ${task.name} failed${times}: ${lastError}`, isReported);
      // One that could not set its next time itself goes on at its usual time.
      const { intervalMs } = task;
      if (intervalMs !== undefined && entry.dueAt === undefined)
        this.#schedule(entry, intervalMs());
    }
    entry.lastDurationMs = Math.max(0, now() - startedAt);
  }

  #stateOf(entry: Entry): TaskState {
    const { task, dueAt, running, lastRunAt, lastDurationMs, lastError, failures } = entry;
    const { name, pluginId, intervalMs } = task;
    const isPaused = this.#paused.has(name);
    return {
      ...{
        name,
        pluginId,
        intervalMs: intervalMs?.(),
        isRunning: running !== undefined,
        isPaused,
        failures,
      },
      ...{ lastRunAt, lastDurationMs, lastError, nextRunAt: isPaused ? undefined : dueAt },
    };
  }
}
