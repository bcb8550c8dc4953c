import { errorMessage, KeyedMutex } from "@openclaw/foundation";
import type { Messaging, ReplyOutcome } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Job, Lease, Store } from "@openclaw/store";
import { JobTransitionError } from "@openclaw/store/errors";
import type { JobChanges } from "./changes.js";
import type { JobReports } from "./reports.js";
import { storeRunEnd } from "./run-end.js";
import { type RunningJob, RunningJobs } from "./running-jobs.js";
import type { JobSettings } from "./settings.js";
import { type TurnReason, taskOf } from "./task.js";
import { resultOf, type StopCause } from "./verdict.js";
import { type JobClock, WorkClock } from "./work-clock.js";

/** First and longest wait before a failed model is called again. */
const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 600_000;

/** The queues of messaging in which the turns of jobs run. */
export type JobTurns = Pick<Messaging, "hostTurns" | "turnQueues">;

/** Dependencies of {@link JobRunner}. */
export interface JobRunnerDependencies {
  readonly store: Store;
  readonly messaging: JobTurns;
  readonly changes: Pick<JobChanges, "isAwaited" | "tell">;
  readonly reports: Pick<JobReports, "progress">;
  readonly clock: JobClock;
  readonly logger: Logger;
  /** Read at each use, because a reload changes them. */
  settings(): JobSettings;
  /**
   * Called when a job has left the state `in_progress`.
   * @param job - the job as it is now
   */
  ended(job: Job): void;
  /**
   * Called with a job whose work waits for the answer to its budget request.
   * @param job - the job as it is now
   */
  asked(job: Job): void;
}

/** A stored turn of a job. */
type StoredTurn = Awaited<ReturnType<Messaging["hostTurns"]["store"]>>;

/** A turn of a queue, as the runner follows it. */
type FollowedTurn = ReturnType<Messaging["hostTurns"]["start"]>;

/** Event of a turn. */
type TurnEvent = Parameters<NonNullable<FollowedTurn["callers"][number]["onEvent"]>>[0];

/** Runs the turns of jobs under leases, and stores how they end. */
export class JobRunner {
  readonly #dependencies: JobRunnerDependencies;
  readonly #running: RunningJobs;
  readonly #order = new KeyedMutex();
  /** Jobs of whose work something could not be stored, for example because the disk was full. */
  readonly #left = new Set<string>();
  #isClosed = false;

  /** @param dependencies - store, queues, events, clock, log and settings */
  constructor(dependencies: JobRunnerDependencies) {
    this.#dependencies = dependencies;
    this.#running = new RunningJobs({ ...dependencies, lost: (jobId) => this.stop(jobId, "lost") });
  }

  /**
   * Begins a run of a job, if no more run than may run at once.
   * @param job - a pending or stuck job
   * @param reason - why the run begins
   * @returns false when another process was faster, or every place is taken
   */
  async begin(job: Job, reason: TurnReason): Promise<boolean> {
    const { store, settings } = this.#dependencies;
    const { jobId } = job;
    const from = reason === "new" ? "pending" : "stuck";
    try {
      const claimed = await store.transaction(async (unit) => {
        const { in_progress } = await unit.jobs.counts();
        if (in_progress >= settings().maxParallel) return undefined;
        const lease = await this.#running.acquire(unit, jobId);
        if (lease === undefined) return undefined;
        const moved = await unit.jobs.move(jobId, "in_progress", { from });
        return { lease, moved, turn: await this.#storeTurn(unit, moved, lease, reason) };
      });
      // When the host has closed meanwhile, the next process takes it up.
      if (claimed === undefined || this.#isClosed) return false;
      const { lease, moved, turn } = claimed;
      this.#running.add(moved, lease);
      this.#start(moved, turn, reason);
      this.#dependencies.changes.tell(moved);
      return true;
    } catch (error) {
      if (JobTransitionError.isInstance(error)) return false;
      throw error;
    }
  }

  /**
   * Takes up a job that an earlier process left in the state `in_progress`, by the ID of its run.
   * @param job - the job
   */
  async takeUp(job: Job): Promise<void> {
    const { store, messaging } = this.#dependencies;
    const { jobId, runId, sessionKey } = job;
    const lease = await this.#running.acquire(store, jobId);
    if (lease === undefined || this.#isClosed) return;
    this.#running.add(job, lease);
    const run = runId === undefined ? undefined : await store.jobs.runs.get(runId);
    const queued = messaging.turnQueues.of(sessionKey).find(({ turn }) => turn.runId === runId);
    if (runId !== undefined && queued !== undefined) {
      queued.callers.push({ hasGone: true, onEvent: (event) => this.#progressed(jobId, event) });
      this.#follow(job, queued);
    } else if (job.budgetRequest !== undefined) this.#dependencies.asked(job);
    else if (run?.endedAt !== undefined) await this.#again(jobId);
    else if (runId !== undefined) await this.#settle(jobId, runId, undefined);
  }

  /** True when something of the work of a job could not be stored. */
  get hasLeft(): boolean {
    return this.#left.size > 0;
  }

  /** Takes up again the jobs of whose work something could not be stored. */
  async takeUpLeft(): Promise<void> {
    const { store, messaging } = this.#dependencies;
    for (const jobId of [...this.#left]) {
      const job = await store.jobs.get(jobId);
      const runId = job?.runId;
      const isQueued = messaging.turnQueues
        .of(job?.sessionKey ?? "")
        .some(({ turn }) => turn.runId === runId);
      const turn = runId === undefined || isQueued ? undefined : await store.turns.get(runId);
      // Its end is one of the things that could not be stored; nothing resumes it in this process.
      if (turn !== undefined && turn.endedAt === undefined) {
        await store.turns.finish(turn.runId, { state: "interrupted", stopReason: "interrupted" });
      }
      this.#left.delete(jobId);
      if (job?.state === "in_progress") await this.#kept(jobId, this.takeUp(job));
    }
  }

  /**
   * Ends the turn of a job in this process.
   * @param jobId - ID of the job
   * @param cause - why it ends
   * @returns resolves when the end is stored; undefined when this process does not work on the job
   */
  stop(jobId: string, cause: StopCause): Promise<void> | undefined {
    const running = this.#running.get(jobId);
    if (running === undefined) return undefined;
    running.cause ??= cause;
    const { runId, job, left } = running;
    if (runId === undefined) this.#running.remove(jobId);
    else this.#dependencies.messaging.turnQueues.cancel(job.sessionKey, runId);
    return left;
  }

  /**
   * Continues a job whose budget request was answered: with the result that its last turn has, or with another turn.
   * @param jobId - ID of the job
   */
  async resume(jobId: string): Promise<void> {
    await this.#again(jobId);
  }

  /**
   * Ends a job whose budget request no user can answer or has answered in time.
   * @param jobId - ID of the job
   * @param failure - the reason
   */
  async giveUp(jobId: string, failure: { code: string; message: string }): Promise<void> {
    const { store } = this.#dependencies;
    const running = this.#running.get(jobId);
    if (running === undefined || this.#isClosed) return;
    const failed = await store.transaction(async (unit) => {
      await unit.leases.assertHeld(running.lease);
      const job = await unit.jobs.get(jobId);
      if (job?.state !== "in_progress" || job.budgetRequest === undefined) return undefined;
      await unit.leases.release(running.lease);
      const reason = failure.message;
      return await unit.jobs.move(jobId, "failed", { from: "in_progress", reason, failure });
    });
    if (failed !== undefined) this.#leave(failed);
  }

  /** Ends the turns that have shown no progress for too long (JOB-018). */
  stopStuck(): void {
    const { settings, clock } = this.#dependencies;
    const before = clock.elapsed() - settings().stuckMs;
    for (const { job, clock: work, progressAt } of this.#running.all()) {
      if (work?.isRunning === true && progressAt < before) this.stop(job.jobId, "stuck");
    }
  }

  /** Stops following; the turns are suspended with the host, and the next process takes the jobs up. */
  close(): void {
    this.#isClosed = true;
    for (const { job } of this.#running.all()) this.#running.remove(job.jobId);
  }

  async #storeTurn(unit: Store, job: Job, { token }: Lease, reason: TurnReason) {
    const { jobId, sessionKey, agentId, title, model } = job;
    const message = taskOf(job, reason);
    const task = { sessionKey, agentId, trigger: "job", message, label: title, model } as const;
    const stored = await this.#dependencies.messaging.hostTurns.store(unit, task);
    await unit.jobs.runs.start({ jobId, runId: stored.turn.runId, token });
    return stored;
  }

  #start(job: Job, stored: StoredTurn, reason: TurnReason): void {
    const { jobId, depth } = job;
    const queued = this.#dependencies.messaging.hostTurns.start(
      stored,
      taskOf(job, reason),
      { depth: depth + 1, startedAt: performance.now() },
      { onEvent: (event) => this.#progressed(jobId, event) },
    );
    this.#follow({ ...job, spentMs: 0 }, queued);
  }

  #progressed(jobId: string, event: TurnEvent): void {
    const running = this.#running.get(jobId);
    if (running !== undefined) running.progressAt = this.#dependencies.clock.elapsed();
    if (event.type === "job-progress") {
      this.#dependencies.reports.progress(jobId, event.progress);
    }
  }

  #follow(job: Job, queued: FollowedTurn): void {
    const { clock } = this.#dependencies;
    const { jobId, timeoutMs: limitMs, spentMs } = job;
    const running = this.#running.get(jobId);
    if (running === undefined) return;
    const { runId } = queued.turn;
    const work = new WorkClock(clock, { limitMs, spentMs }, () => this.stop(jobId, "timeout"));
    running.clock = work;
    running.runId = runId;
    queued.watch((state) => {
      if (this.#isClosed) return;
      running.progressAt = clock.elapsed();
      if (state === "working") work.start();
      else work.stop();
      this.#storeClock(jobId, state === "paused", work);
    });
    const end = (outcome: ReplyOutcome | undefined) => {
      work.stop();
      this.#logged(this.#kept(jobId, this.#settle(jobId, runId, outcome)));
    };
    queued.outcome.then(end, () => end(undefined));
  }

  /** Stores the working time at the beginning and at the end of a wait, which a restart must not count. */
  #storeClock(jobId: string, awaitsApproval: boolean, work: WorkClock): void {
    const { store, changes } = this.#dependencies;
    const { spentMs } = work;
    const stored = this.#order.run(jobId, async () => {
      const before = await store.jobs.get(jobId);
      if (before?.state !== "in_progress") return;
      await store.jobs.change(jobId, { awaitsApproval, spentMs });
      if (before.awaitsApproval !== awaitsApproval) changes.tell({ ...before, awaitsApproval });
    });
    this.#logged(stored);
  }

  async #settle(jobId: string, runId: string, outcome: ReplyOutcome | undefined): Promise<void> {
    await this.#order.run(jobId, async () => {
      const running = this.#running.get(jobId);
      if (running === undefined || this.#isClosed) return;
      const settled = await storeRunEnd(this.#dependencies, running, runId, outcome);
      if (settled === undefined) {
        this.#running.remove(jobId);
        if ((await this.#dependencies.store.jobs.get(jobId))?.state === "in_progress") {
          this.#left.add(jobId);
        }
        return;
      }
      if (settled.verdict.to === "again") return this.#waitFor(running, settled.verdict.reason);
      if (settled.verdict.to === "next") return await this.#again(jobId);
      if (settled.verdict.to === "ask") {
        running.runId = undefined;
        this.#dependencies.changes.tell(settled.job);
        this.#dependencies.asked(settled.job);
        return;
      }
      this.#leave(settled.job);
    });
  }

  /** Ends the work of this process on a job that has left the state `in_progress`. */
  #leave(job: Job): void {
    this.#running.remove(job.jobId);
    this.#dependencies.changes.tell(job);
    this.#dependencies.ended(job);
  }

  /** Waits before the next turn of a job whose model cannot be reached; the job keeps its state and its place. */
  #waitFor(running: RunningJob, reason: string): void {
    const { clock, logger } = this.#dependencies;
    const { jobId } = running.job;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** running.failures);
    running.failures += 1;
    running.runId = undefined;
    logger.warn(`a job waits ${waitMs / 1000} s for its model: ${reason}`, { jobId });
    running.wait = clock.timers.setTimeout(
      () => this.#logged(this.#kept(jobId, this.#again(jobId))),
      waitMs,
    );
  }

  async #again(jobId: string): Promise<void> {
    const { store } = this.#dependencies;
    const running = this.#running.get(jobId);
    if (running === undefined || this.#isClosed) return;
    const stored = await store.transaction(async (unit) => {
      await unit.leases.assertHeld(running.lease);
      const job = await unit.jobs.get(jobId);
      if (job?.state !== "in_progress") return undefined;
      if (job.prompts !== undefined) {
        const turn = await this.#storeTurn(unit, job, running.lease, "prompt");
        await unit.jobs.change(jobId, { prompts: null });
        return { job, turn, reason: "prompt" as const };
      }
      const result = await finishedResult(unit, job);
      if (result !== undefined) {
        await unit.leases.release(running.lease);
        return { job: await unit.jobs.move(jobId, "completed", { from: "in_progress", result }) };
      }
      const turn = await this.#storeTurn(unit, job, running.lease, "retry");
      return { job, turn, reason: "retry" as const };
    });
    if (stored === undefined) this.#running.remove(jobId);
    else if (stored.turn === undefined) this.#leave(stored.job);
    else this.#start(stored.job, stored.turn, stored.reason);
  }

  /** Keeps a job for the next check when its work could not be stored. */
  async #kept(jobId: string, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#running.remove(jobId);
      this.#left.add(jobId);
      throw error;
    }
  }

  #logged(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.#dependencies.logger.error(`a job could not be followed: ${errorMessage(error)}`),
    );
  }
}

/** Returns the result of the last turn of a job, when that came to its end and the job waited only for its budget. */
async function finishedResult(unit: Store, { runId }: Job): Promise<string | undefined> {
  if (runId === undefined) return undefined;
  return resultOf(await unit.turns.get(runId), await unit.jobs.runs.get(runId));
}
