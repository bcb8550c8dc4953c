import { type BackgroundTasks, errorMessage, type TaskSchedule } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { JOB_QUEUE, type Job, QUEUE_CHANGES, type Store } from "@openclaw/store";
import type { JobBudgetRequests } from "./budget-requests.js";
import type { JobChanges } from "./changes.js";
import { type JobResults, STUCK_FAILURE } from "./delivery.js";
import type { JobRunner } from "./runs/runner.js";
import type { JobSettings } from "./settings.js";
import type { JobClock } from "./work-clock.js";

/** Time until a result that is being sent is looked at again. */
const SENDING_MS = 1_000;

/** Dependencies of {@link JobChecks}. */
export interface JobChecksDependencies {
  readonly store: Store;
  readonly logger: Logger;
  readonly clock: JobClock;
  readonly tasks: Pick<BackgroundTasks, "add">;
  readonly changes: Pick<JobChanges, "tell">;
  readonly runner: Pick<
    JobRunner,
    "hasLeft" | "repair" | "startPending" | "stopStuck" | "takeUp" | "takeUpLeft"
  >;
  readonly results: Pick<JobResults, "deliver">;
  readonly budgetRequests: Pick<JobBudgetRequests, "ask">;
  /** Read at each use, because a reload changes them. */
  settings(): JobSettings;
}

/**
 * Starts pending jobs, takes up those of an earlier process, and checks for stuck ones and for results that are left.
 * While no job has anything left to do, no timer runs.
 */
export class JobChecks {
  readonly #dependencies: JobChecksDependencies;
  readonly #task: TaskSchedule;
  /** True while a check is due. */
  #isArmed = false;
  #isChecking = false;
  #isOpen = false;
  #unsubscribe = () => {};

  /** @param dependencies - store, log, clock, runner, results and settings */
  constructor(dependencies: JobChecksDependencies) {
    const { tasks, settings } = dependencies;
    this.#dependencies = dependencies;
    this.#task = tasks.add({
      name: "jobs",
      intervalMs: () => settings().checkMs,
      run: async () => {
        if (this.#isArmed) this.#checkLater();
        await this.check();
      },
    });
  }

  /** True between the start and the end of the host. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes up the jobs of an earlier process, once their turns are in their queues, and starts the pending ones. */
  async open(): Promise<void> {
    const { store, runner, settings } = this.#dependencies;
    this.#isOpen = true;
    this.#unsubscribe();
    this.#unsubscribe = store.topics.subscribe(QUEUE_CHANGES, (queue) => {
      if (queue === JOB_QUEUE) this.#startPending();
    });
    const unsettled = await store.jobs.unsettled();
    for (const job of unsettled) {
      if (job.state === "in_progress") await this.#logged(runner.takeUp(job.jobId));
      else if (hasResult(job)) void this.#logged(this.#deliver(job));
    }
    if (unsettled.length > 0 || (await this.#hasPending())) this.#startPending();
    else if (settings().autoAcceptMs !== undefined) this.#checkLater();
  }

  /** Starts nothing more. */
  close(): void {
    this.#isOpen = false;
    this.#unsubscribe();
    this.#stop();
  }

  /** Starts pending jobs until every place is taken, one after another. */
  #startPending(): void {
    if (!this.#isOpen) return;
    if (!this.#isArmed) this.#checkLater();
    void this.#dependencies.runner.startPending();
  }

  /**
   * Delivers the result of a job that has left the state `in_progress`.
   * @param job - the job as it is now
   */
  ended(job: Job): void {
    if (hasResult(job)) void this.#logged(this.#deliver(job));
    if (this.#isOpen && !this.#isArmed) this.#checkLater();
  }

  /**
   * Posts the budget request of a job to the conversation that asked for the job.
   * @param job - the job as it is now
   */
  asked(job: Job): void {
    void this.#logged(this.#dependencies.budgetRequests.ask(job));
  }

  /** Looks for stuck jobs, repairs them, and delivers what is left (JOB-019). A check during another one does nothing. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { store, runner, budgetRequests, settings } = this.#dependencies;
    try {
      runner.stopStuck();
      if (runner.hasLeft) await this.#logged(runner.takeUpLeft());
      const unsettled = await store.jobs.unsettled();
      // One that cannot be continued, such as one that was cancelled meanwhile, does not keep the others waiting.
      for (const job of unsettled) {
        if (job.state === "stuck") await this.#logged(this.#repair(job));
        else if (hasResult(job)) await this.#logged(this.#deliver(job));
        else if (job.budgetRequest !== undefined) await this.#logged(budgetRequests.ask(job));
      }
      const { autoAcceptMs } = settings();
      if (autoAcceptMs !== undefined) await this.#acceptOld(autoAcceptMs);
      else if (unsettled.length === 0 && !(await this.#hasPending())) return this.#stop();
    } finally {
      this.#isChecking = false;
    }
    this.#startPending();
  }

  /** Delivers a result; one that an earlier process began to send is looked at again soon. */
  async #deliver(job: Job): Promise<void> {
    const isSettled = await this.#dependencies.results.deliver(job);
    if (!isSettled && this.#isOpen) this.#checkLater(Math.min(SENDING_MS, this.#interval));
  }

  async #hasPending(): Promise<boolean> {
    const { pending } = await this.#dependencies.store.jobs.counts();
    return pending > 0;
  }

  get #interval(): number {
    return this.#dependencies.settings().checkMs;
  }

  async #repair(job: Job): Promise<void> {
    const { store, settings, runner, changes } = this.#dependencies;
    const { jobId, repairAttempts } = job;
    if (repairAttempts < settings().maxRepairs) {
      await runner.repair(jobId);
      return;
    }
    const moves = await store.jobs.moves(jobId);
    const why = moves.at(-1)?.reason ?? "it is stuck";
    const message = `${why}, also after ${repairAttempts} repairs; look at it with \`openclaw jobs log ${jobId}\``;
    const failure = { code: STUCK_FAILURE, message };
    const failed = await store.jobs.move(jobId, "failed", { from: "stuck", reason: why, failure });
    changes.tell(failed);
    this.ended(failed);
  }

  async #acceptOld(autoAcceptMs: number): Promise<void> {
    const { store, clock, changes } = this.#dependencies;
    for (const job of await store.jobs.inStates(["submitted"])) {
      if ((job.completedAt ?? 0) > clock.now() - autoAcceptMs) continue;
      const reason = "accepted after jobs.autoAcceptSeconds";
      const accepting = store.jobs.move(job.jobId, "accepted", { reason });
      await this.#logged(accepting.then((accepted) => changes.tell(accepted)));
    }
  }

  #checkLater(ms = this.#interval): void {
    this.#isArmed = true;
    this.#task.in(ms);
  }

  #stop(): void {
    this.#task.cancel();
    this.#isArmed = false;
  }

  async #logged(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#dependencies.logger.error(`the jobs could not continue: ${errorMessage(error)}`),
    );
  }
}

/** Returns true for a job whose result, or failure, is for the conversation that asked. */
function hasResult({ state }: Job): boolean {
  return state === "completed" || state === "failed";
}
