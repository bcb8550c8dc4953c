import { errorMessage, KeyedMutex } from "@openclaw/foundation";
import type { ReplyOutcome } from "@openclaw/messaging";
import {
  JOB_QUEUE,
  type Job,
  type Lease,
  QueueWorker,
  type Store,
  type TakenItem,
} from "@openclaw/store";
import { type TurnReason, taskOf } from "../task.js";
import type { StopCause } from "../verdict.js";
import { WorkClock } from "../work-clock.js";
import { LeftJobs } from "./left-jobs.js";
import { type StoredTurn, storeGivenUp, storeNextStep, storeTurn } from "./next-turn.js";
import { storeRunEnd } from "./run-end.js";
import type { FollowedTurn, JobRunnerDependencies, TurnEvent } from "./runner-dependencies.js";
import { nextWait, type RunningJob, RunningJobs } from "./running-jobs.js";

/** Runs the turns of jobs under leases, and stores how they end. */
export class JobRunner {
  readonly #dependencies: JobRunnerDependencies;
  readonly #running: RunningJobs;
  readonly #worker: QueueWorker;
  readonly #order = new KeyedMutex();
  readonly #left: LeftJobs;
  #isClosed = false;

  /** @param dependencies - store, queues, events, clock, log and settings */
  constructor(dependencies: JobRunnerDependencies) {
    this.#dependencies = dependencies;
    const { store, clock, logger, settings, messaging } = dependencies;
    this.#left = new LeftJobs({ store, messaging });
    this.#running = new RunningJobs(clock);
    this.#worker = new QueueWorker({
      ...{ store, logger, queue: JOB_QUEUE, timers: clock.timers },
      async hasPlace(unit) {
        const { in_progress } = await unit.jobs.counts();
        return in_progress < settings().maxParallel;
      },
      begin: (unit, taken) => this.#begin(unit, taken),
    });
  }

  /** Starts pending jobs until every place is taken, one after another. */
  startPending(): Promise<void> {
    return this.#worker.wake();
  }

  /**
   * Continues a stuck job, if no more run than may run at once.
   * @returns false when another process was faster, or every place is taken
   */
  async repair(jobId: string): Promise<boolean> {
    return await this.#worker.take({ key: jobId });
  }

  /**
   * Takes up a job that an earlier process left in the state `in_progress`, by the ID of its run. Another owner is a dead
   * process, or a node that no longer starts jobs, and whose run ends when it loses the lease.
   */
  async takeUp(jobId: string): Promise<void> {
    await this.#worker.take({ key: jobId, seize: true });
    await this.#running.get(jobId)?.begun;
  }

  /** Begins a run of a job, or takes it up, in the transaction that takes its item. */
  async #begin(unit: Store, { key: jobId, lease }: TakenItem) {
    const job = await unit.jobs.get(jobId);
    if (job?.state === "in_progress") return this.#work(job, lease, () => this.#continue(job));
    if (job?.state !== "pending" && job?.state !== "stuck") return undefined;
    const reason = job.state === "pending" ? "new" : "repair";
    const moved = await unit.jobs.move(jobId, "in_progress", { from: job.state });
    const { hostTurns } = this.#dependencies.messaging;
    const turn = await storeTurn(unit, hostTurns, moved, lease, reason);
    return this.#work(moved, lease, async () => {
      this.#start(moved, turn, reason);
      this.#dependencies.changes.tell(moved);
    });
  }

  /** Returns the work on a job, which lasts until this process has ended it. */
  #work(job: Job, lease: Lease, begin: () => Promise<void>) {
    const { jobId } = job;
    return {
      run: async (signal: AbortSignal) => {
        const running = this.#running.add(job, lease);
        signal.addEventListener("abort", () => void this.stop(jobId, "lost"));
        running.begun = this.#kept(jobId, begin());
        await running.begun;
        await running.left;
      },
    };
  }

  /** Continues a job that an earlier process left in the state `in_progress`. */
  async #continue(job: Job): Promise<void> {
    const { store, messaging } = this.#dependencies;
    const { jobId, runId, sessionKey } = job;
    const run = runId === undefined ? undefined : await store.jobs.runs.get(runId);
    const queued = messaging.live.turns(sessionKey).find(({ turn }) => turn.runId === runId);
    if (runId !== undefined && queued !== undefined) {
      queued.callers.push({ hasGone: true, onEvent: (event) => this.#progressed(jobId, event) });
      this.#follow(job, queued);
    } else if (job.budgetRequest !== undefined) this.#dependencies.asked(job);
    else if (run?.endedAt !== undefined) await this.resume(jobId);
    else if (runId !== undefined) await this.#settle(jobId, runId, undefined);
  }

  /** True when something of the work of a job could not be stored. */
  get hasLeft(): boolean {
    return this.#left.size > 0;
  }

  /** Takes up again the jobs of whose work something could not be stored. */
  async takeUpLeft(): Promise<void> {
    await this.#left.takeUp((jobId) => this.takeUp(jobId));
  }

  /**
   * Ends the turn of a job in this process.
   * @param cause - why it ends
   * @returns resolves when the end is stored; undefined when this process does not work on the job
   */
  stop(jobId: string, cause: StopCause): Promise<void> | undefined {
    const running = this.#running.get(jobId);
    if (running === undefined) return undefined;
    running.cause ??= cause;
    const { runId, job, left } = running;
    if (runId === undefined) this.#running.remove(jobId);
    else this.#dependencies.messaging.live.cancel(job.sessionKey, runId);
    return left;
  }

  /**
   * Ends a job whose budget request no user can answer or has answered in time.
   * @param failure - the reason
   */
  async giveUp(jobId: string, failure: { code: string; message: string }): Promise<void> {
    const { store } = this.#dependencies;
    const running = this.#running.get(jobId);
    if (running === undefined || this.#isClosed) return;
    const failed = await store.transaction((unit) =>
      storeGivenUp(unit, jobId, running.lease, failure),
    );
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
    this.#worker.close();
    for (const { job } of this.#running.all()) this.#running.remove(job.jobId);
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

  /** Counts a sign of life of the worker of a job as progress. */
  progressed(jobId: string): void {
    const running = this.#running.get(jobId);
    if (running !== undefined) running.progressAt = this.#dependencies.clock.elapsed();
  }

  #progressed(jobId: string, event: TurnEvent): void {
    this.progressed(jobId);
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
      if (settled.verdict.to === "next") return await this.resume(jobId);
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
    const waitMs = nextWait(running);
    running.runId = undefined;
    logger.warn(`a job waits ${waitMs / 1000} s for its model: ${reason}`, { jobId });
    running.wait = clock.timers.setTimeout(
      () => this.#logged(this.#kept(jobId, this.resume(jobId))),
      waitMs,
    );
  }

  /**
   * Continues a job whose last turn has ended, or whose budget request was answered: with its result, or with another turn.
   */
  async resume(jobId: string): Promise<void> {
    const { store, messaging } = this.#dependencies;
    const running = this.#running.get(jobId);
    if (running === undefined || this.#isClosed) return;
    const next = await store.transaction((unit) =>
      storeNextStep(unit, messaging.hostTurns, jobId, running.lease),
    );
    if (next === undefined) this.#running.remove(jobId);
    else if (next.turn === undefined) this.#leave(next.job);
    else this.#start(next.job, next.turn, next.reason);
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
