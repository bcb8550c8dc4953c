import { type BackgroundTasks, errorMessage } from "@openclaw/foundation";
import type { Messaging } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import type { EventPublisher } from "@openclaw/protocol";
import type { Job, JobMode, JobMove, JobRun, JobState, JobStep, Store } from "@openclaw/store";
import { JobTransitionError } from "@openclaw/store/errors";
import { JobBudgetRequests, type MoreBudget } from "./budget-requests.js";
import { JobCancellation } from "./cancellation.js";
import { JobChanges } from "./changes.js";
import { JobChecks } from "./checks.js";
import { JobCreation, type JobRequest } from "./creation.js";
import { type JobViewer, readCreator } from "./creator.js";
import { JobResults } from "./delivery.js";
import { JobNotFoundError, JobRefusedError } from "./errors.js";
import { JobFiles, type JobFolders } from "./files.js";
import { JobReports } from "./reports.js";
import { JobRunner } from "./runs/runner.js";
import type { JobSettings } from "./settings.js";
import { JOB_BLOCKED } from "./verdict.js";
import type { JobClock } from "./work-clock.js";
import { JobModeUnavailableError } from "./workers/errors.js";
import type { Runtime } from "./workers/runtimes.js";
import type { Workers } from "./workers/workers.js";

/** Jobs of one list. */
const LISTED = 50;

/** A job with its history. */
export interface JobLog {
  readonly job: Job;
  readonly moves: readonly JobMove[];
  readonly runs: readonly JobRun[];
}

/** Workers of sandboxed jobs. */
type JobWorkers = Pick<Workers, "assertAvailable" | "claude" | "collect" | "review" | "runtimes">;

/** Dependencies of {@link Jobs}. */
export interface JobsDependencies {
  readonly store: Store;
  readonly messaging: Pick<Messaging, "hostTurns" | "live" | "posts">;
  readonly events: EventPublisher;
  readonly logger: Logger;
  readonly clock: JobClock;
  /** Background tasks of the host, which the checks join. */
  readonly tasks: Pick<BackgroundTasks, "add">;
  /**
   * Returns the folders in which a job works.
   * @param job - the job
   */
  folders(job: Job): Promise<JobFolders>;
  /** Read at each use, because a reload changes them. */
  settings(): JobSettings;
  /** Maximum number of model calls in a run. */
  maxIterations(): number;
  /** Runs sandboxed jobs; absent for a host that runs none. */
  readonly workers?: JobWorkers | undefined;
}

/** The jobs of a host. */
export class Jobs {
  /** The files that jobs made. */
  readonly files: JobFiles;
  readonly #dependencies: JobsDependencies;
  readonly #changes: JobChanges;
  readonly #creation: JobCreation;
  readonly #runner: JobRunner;
  readonly #checks: JobChecks;
  readonly #budgetRequests: JobBudgetRequests;
  readonly #cancellation: JobCancellation;
  readonly #reports: JobReports;

  /** @param dependencies - store, messaging, events, clock and settings */
  constructor(dependencies: JobsDependencies) {
    const { store, messaging, events, logger, clock, tasks } = dependencies;
    const settings = () => dependencies.settings();
    const changes = new JobChanges(events);
    const results = new JobResults({ store, posts: messaging.posts, changes });
    const reports = new JobReports({ store, changes, clock, logger });
    const runner = new JobRunner({
      ...{ store, messaging, changes, clock, logger, settings, reports },
      ended: (job) => this.#checks.ended(job),
      asked: (job) => this.#checks.asked(job),
    });
    const { posts } = messaging;
    this.#budgetRequests = new JobBudgetRequests({ store, posts, changes, runner, clock });
    this.#dependencies = dependencies;
    this.files = new JobFiles({ store, folders: (job) => dependencies.folders(job) });
    this.#changes = changes;
    this.#reports = reports;
    this.#creation = new JobCreation(dependencies);
    this.#runner = runner;
    this.#checks = new JobChecks({
      ...{ store, logger, clock, tasks, changes, runner, results, settings },
      budgetRequests: this.#budgetRequests,
    });
    this.#cancellation = new JobCancellation({ store, changes, runner, clock });
  }

  /**
   * Creates a job, which starts when a place is free. A repeat of a request returns the job of the first.
   * @param request - task, creator and limits
   * @throws JobRefusedError for a task that is empty or too long, and for a job too deep
   * @throws MaxJobsExceededError when too many jobs are unfinished
   * @throws JobModeUnavailableError when this machine cannot run its execution model
   */
  async create(request: JobRequest): Promise<Job> {
    await this.#assertAvailable(request.mode);
    const { job, isNew, opened } = await this.#creation.create(request);
    const { hostTurns, live } = this.#dependencies.messaging;
    if (opened !== undefined) hostTurns.sessionOpened(opened);
    if (isNew) {
      this.#changes.tell(job);
      const { jobId, title, askedIn } = job;
      if (askedIn !== undefined) {
        live.find(askedIn)?.jobStarted({ kind: "job_started", jobId, title });
      }
    }
    return job;
  }

  /**
   * Returns a job that a viewer may see.
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @throws JobNotFoundError also for a job of another user
   */
  async get(id: string, viewer: JobViewer): Promise<Job> {
    const { jobs } = this.#dependencies.store;
    const wanted = id.toLowerCase();
    const exact = await jobs.get(wanted);
    const found = exact === undefined ? await jobs.startingWith(wanted) : [exact];
    const seen = found.filter(({ owner }) => viewer.isOperator || owner === viewer.owner);
    const [job, other] = seen;
    if (other !== undefined) throw new JobNotFoundError(id, "names several jobs");
    if (job === undefined || wanted === "") throw new JobNotFoundError(id);
    return job;
  }

  /**
   * Returns the newest jobs that a viewer may see.
   * @param viewer - the operator, or a sender
   * @param query - states of the jobs; all when absent
   */
  async list(
    viewer: JobViewer,
    {
      states,
      limit = LISTED,
    }: {
      readonly states?: readonly JobState[] | undefined;
      readonly limit?: number | undefined;
    } = {},
  ): Promise<readonly Job[]> {
    const owner = viewer.isOperator ? undefined : viewer.owner;
    return await this.#dependencies.store.jobs.list({ owner, states, limit });
  }

  /** Returns the number of jobs in each state that a viewer may see. */
  async counts(viewer: JobViewer): Promise<Readonly<Record<JobState, number>>> {
    return await this.#dependencies.store.jobs.counts(viewer.isOperator ? undefined : viewer.owner);
  }

  /**
   * Returns the number of jobs that a sender asked for lately.
   * @param viewer - the sender
   * @param lastMs - length of the time until now
   */
  async createdWithin({ owner }: JobViewer, lastMs: number): Promise<number> {
    const { store, clock } = this.#dependencies;
    return await store.jobs.createdSince(owner, clock.now() - lastMs);
  }

  /**
   * Returns the ID of the turn that runs in a session, which may ask for jobs.
   * @param sessionKey - full key
   */
  runningTurn(sessionKey: string): string | undefined {
    const queued = this.#dependencies.messaging.live.turns(sessionKey);
    return queued.find(({ isRunning }) => isRunning)?.turn.runId;
  }

  /** Returns a job with its moves and runs. Throws as {@link Jobs.get}. */
  async log(id: string, viewer: JobViewer): Promise<JobLog> {
    const { jobs } = this.#dependencies.store;
    const job = await this.get(id, viewer);
    return { job, moves: await jobs.moves(job.jobId), runs: await jobs.runs.of(job.jobId) };
  }

  /**
   * Cancels a job and the jobs below it, and ends their turns (JOB-011).
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @throws JobNotFoundError, and JobTransitionError when it cannot be cancelled any more
   */
  async cancel(id: string, viewer: JobViewer): Promise<Job> {
    const { jobId } = await this.get(id, viewer);
    return await this.#cancellation.cancel(jobId);
  }

  /**
   * Starts a job again: a stuck one continues, and one that failed or was cancelled is created again.
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @returns the job that works now
   * @throws JobNotFoundError, and JobTransitionError in every other state
   * @throws JobRefusedError when no place is free, or the host does not run
   */
  async restart(id: string, viewer: JobViewer): Promise<Job> {
    const job = await this.get(id, viewer);
    const { jobId, state, askedIn, model, mode, priority, maxTokens, maxCost } = job;
    if (state === "failed" || state === "cancelled") {
      if (job.failure?.code === JOB_BLOCKED) {
        throw new JobRefusedError(
          "a plugin blocked its task, which was deleted; ask for a new job with other words",
        );
      }
      const { title, description, agentId } = job;
      const task = { title, description, agentId, creator: readCreator(job) };
      return await this.create({ ...task, askedIn, model, mode, priority, maxTokens, maxCost });
    }
    if (state !== "stuck") throw new JobTransitionError(jobId, state, "in_progress");
    if (!this.#checks.isOpen) {
      throw new JobRefusedError(
        "only a running gateway can continue it; start one, `openclaw run`",
      );
    }
    const hasBegun = await this.#runner.repair(jobId);
    const now = await this.get(jobId, viewer);
    if (!hasBegun && now.state === "stuck") {
      const { maxParallel } = this.#dependencies.settings();
      throw new JobRefusedError(
        `all ${maxParallel} places of jobs.maxParallel are taken; it continues by itself when one is free, or cancel another with \`/job cancel <id>\``,
      );
    }
    return now;
  }

  /**
   * Lets a job continue that waits for more budget (JOB-391).
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @param more - budget that is added
   * @throws JobNotFoundError, JobNotWaitingError, and JobRefusedError for an amount of a unit that it has no budget of
   */
  async answer(id: string, viewer: JobViewer, more: MoreBudget): Promise<Job> {
    const { jobId } = await this.get(id, viewer);
    const answered = await this.#budgetRequests.answer(jobId, more);
    if (this.#checks.isOpen) await this.#runner.resume(jobId);
    return answered;
  }

  /**
   * Accepts the result of a job (JOB-016). The result of a completed one that was not delivered counts as read.
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @throws JobNotFoundError, and JobTransitionError when it has no result
   */
  async accept(id: string, viewer: JobViewer): Promise<Job> {
    const { jobId } = await this.get(id, viewer);
    const accepted = await this.#dependencies.store.transaction(async (unit) => {
      const now = await unit.jobs.get(jobId);
      if (now?.state === "completed") {
        await unit.jobs.move(jobId, "submitted", { reason: "its result was read" });
      }
      return await unit.jobs.move(jobId, "accepted");
    });
    this.#changes.tell(accepted);
    return accepted;
  }

  /**
   * Gives a job that works a further prompt (JOB-393).
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @param text - the prompt
   * @throws JobNotFoundError, JobNotRunningError, and JobRefusedError for an empty or too long prompt
   */
  async prompt(id: string, viewer: JobViewer, text: string): Promise<Job> {
    const { jobId } = await this.get(id, viewer);
    return await this.#reports.prompt(jobId, text);
  }

  /**
   * Counts a sign of life of the worker of a job as progress (JOB-018).
   * @param jobId - ID of the job
   */
  progressed(jobId: string): void {
    this.#runner.progressed(jobId);
  }

  /** Returns the runtimes of sandboxed jobs and Claude Code, and whether they work on this machine. */
  async runtimes(): Promise<readonly Runtime[]> {
    const { workers } = this.#dependencies;
    if (workers === undefined) return [];
    const claude = { name: "claude_code", state: await workers.claude.state() };
    return [...(await workers.runtimes.all()), claude];
  }

  /**
   * Runs sandboxed jobs, and shows their changes.
   * @throws JobModeUnavailableError for a host that runs none
   */
  get workers(): JobWorkers {
    const { workers } = this.#dependencies;
    if (workers !== undefined) return workers;
    throw new JobModeUnavailableError("sandboxed", ["the host runs no workers"]);
  }

  /** True when the agents of jobs keep plans. */
  get isPlanned(): boolean {
    return this.#dependencies.settings().planning;
  }

  /**
   * Stores the plan of a job that runs (JOB-014).
   * @param sessionKey - session of the job
   * @param plan - all of its steps
   * @throws JobNotFoundError when no job runs in the session
   */
  async plan(sessionKey: string, plan: readonly JobStep[]): Promise<Job> {
    return await this.#reports.plan(sessionKey, plan);
  }

  /**
   * Calls a function with a job each time it has changed.
   * @param jobId - ID of the job
   * @param observer - receives the job; it does not throw
   * @returns ends the calls
   */
  observe(jobId: string, observer: (job: Job) => void): Unregister {
    return this.#changes.observe(jobId, observer);
  }

  /**
   * Resolves when a job has no work left.
   * @param jobId - ID of the job
   * @param signal - ends the wait, not the job
   */
  async ended(jobId: string, signal: AbortSignal): Promise<Job> {
    return await this.#changes.ended(jobId, signal);
  }

  /** Prepares the start: ends the turns of cancelled jobs; call it before turns of an earlier process are resumed. */
  async prepare(): Promise<void> {
    await this.#cancellation.endLeftTurns();
  }

  /** Takes up the jobs of an earlier process, once their turns are in their queues, and starts the pending ones. */
  async recover(): Promise<void> {
    const { workers, logger } = this.#dependencies;
    // What an earlier process left delays no job.
    workers?.collect().catch((error: unknown) => {
      logger.warn(`leftovers of workers could not be removed: ${errorMessage(error)}`);
    });
    await this.#checks.open();
  }

  /** Starts nothing more until {@link Jobs.recover}; another node does. */
  pause(): void {
    this.#checks.close();
  }

  /** Starts nothing more, and follows no turn; the next process continues. */
  close(): void {
    this.#checks.close();
    this.#reports.close();
    this.#runner.close();
  }

  async #assertAvailable(mode: JobMode = "worker"): Promise<void> {
    if (mode === "worker") return;
    await this.workers.assertAvailable(mode);
  }

  /** Looks for stuck jobs, repairs them, and delivers what is left (JOB-019). */
  async check(): Promise<void> {
    await this.#checks.check();
  }
}
