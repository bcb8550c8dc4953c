import { randomUUID } from "node:crypto";
import { errorMessage, sha256, type TimerHandle } from "@openclaw/foundation";
import { jobSessionKey, type Messaging } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventPublisher } from "@openclaw/protocol";
import type { Job, JobMove, JobRun, JobState, Store } from "@openclaw/store";
import { isTerminalJobState } from "@openclaw/store";
import { JobTransitionError } from "@openclaw/store/errors";
import { JobChanges } from "./changes.js";
import { type JobCreator, type JobViewer, ownerOf, readCreator, writeCreator } from "./creator.js";
import { JobResults } from "./delivery.js";
import { JobNotFoundError, JobRefusedError, MaxJobsExceededError } from "./errors.js";
import { JobRunner } from "./runner.js";
import type { JobSettings } from "./settings.js";
import type { JobClock } from "./work-clock.js";

const LONGEST_TITLE = 200;
const MOST_DESCRIPTION_BYTES = 32 * 1024;
/** Deepest job of a job of a job. */
const DEEPEST = 3;
/** Jobs of one list. */
const LISTED = 50;

/** Request for a job. */
export interface JobRequest {
  readonly title: string;
  readonly description: string;
  readonly agentId: string;
  readonly creator: JobCreator;
  /** Session that gets the result; none for a job that no conversation asked for. */
  readonly askedIn?: string | undefined;
  /** Text that is the same for a repeat of this request, so that it creates one job. */
  readonly identity?: string | undefined;
  readonly model?: string | undefined;
  readonly priority?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Millionths of a US dollar. */
  readonly maxCost?: number | undefined;
}

/** A job with its history. */
export interface JobLog {
  readonly job: Job;
  readonly moves: readonly JobMove[];
  readonly runs: readonly JobRun[];
}

/** Dependencies of {@link Jobs}. */
export interface JobsDependencies {
  readonly store: Store;
  readonly messaging: Pick<Messaging, "hostTurns" | "turnQueues" | "posts">;
  readonly events: EventPublisher;
  readonly logger: Logger;
  readonly clock: JobClock;
  /** Read at each use, because a reload changes them. */
  settings(): JobSettings;
  /** Maximum number of model calls in a run. */
  maxIterations(): number;
  /** True when no other host uses the database. */
  readonly isOnlyHost: boolean;
}

/** The jobs of a host. */
export class Jobs {
  readonly #dependencies: JobsDependencies;
  readonly #changes: JobChanges;
  readonly #runner: JobRunner;
  readonly #results: JobResults;
  #check: TimerHandle | undefined;
  #isChecking = false;
  #isOpen = false;
  #pumping: Promise<void> = Promise.resolve();

  /** @param dependencies - store, messaging, events, clock and settings */
  constructor(dependencies: JobsDependencies) {
    const { store, messaging, events } = dependencies;
    this.#dependencies = dependencies;
    this.#changes = new JobChanges(events);
    this.#results = new JobResults({ store, posts: messaging.posts, changes: this.#changes });
    this.#runner = new JobRunner({
      ...dependencies,
      changes: this.#changes,
      ended: (job) => this.#ended(job),
      settings: () => dependencies.settings(),
    });
  }

  /**
   * Creates a job, which starts when a place is free. A repeat of a request returns the job of the first.
   * @param request - task, creator and limits
   * @throws JobRefusedError for a task that is empty or too long, and for a job too deep
   * @throws MaxJobsExceededError when too many jobs are unfinished
   */
  async create(request: JobRequest): Promise<Job> {
    const { store, settings, maxIterations } = this.#dependencies;
    const { title, description, agentId, creator, askedIn, model, identity } = request;
    assertTask(request);
    const { maxActive, maxTokens, maxCost, timeoutMs } = settings();
    const jobId = identity === undefined ? randomUUID() : idOf(identity);
    const { job, isNew } = await store.transaction(async (unit) => {
      const known = await unit.jobs.get(jobId);
      if (known !== undefined) return { job: known, isNew: false };
      const parent = askedIn === undefined ? undefined : await unit.jobs.ofSession(askedIn);
      const depth = parent === undefined ? 0 : parent.depth + 1;
      if (depth > DEEPEST) {
        throw new JobRefusedError(`jobs nest at most ${DEEPEST} deep; do the work in this job`);
      }
      const counts = await unit.jobs.counts();
      // A delivered result may wait for its acceptance without end; its work is done.
      if (counts.pending + counts.in_progress + counts.stuck >= maxActive) {
        throw new MaxJobsExceededError(maxActive);
      }
      const added = await unit.jobs.add({
        ...{ jobId, title: title.trim(), description, agentId, askedIn, model, depth, timeoutMs },
        sessionKey: jobSessionKey(agentId, jobId),
        priority: request.priority ?? parent?.priority ?? 0,
        parentId: parent?.jobId,
        creator: parent?.creator ?? writeCreator(creator),
        owner: parent?.owner ?? ownerOf(creator),
        maxTokens: request.maxTokens ?? maxTokens,
        maxCost: request.maxCost ?? maxCost,
        maxIterations: maxIterations(),
      });
      // The result needs a place also when this is the first message of the conversation.
      if (askedIn !== undefined) {
        await unit.sessions.open(askedIn, { agentId, channel: creator.channel });
      }
      return { job: added, isNew: true };
    });
    if (isNew) {
      this.#changes.tell(job);
      this.#pump();
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

  /** Returns a job with its moves and runs. Throws as {@link Jobs.get}. */
  async log(id: string, viewer: JobViewer): Promise<JobLog> {
    const { jobs } = this.#dependencies.store;
    const job = await this.get(id, viewer);
    return { job, moves: await jobs.moves(job.jobId), runs: await jobs.runs.of(job.jobId) };
  }

  /**
   * Cancels a job and its jobs, and ends their turns (JOB-011).
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @throws JobNotFoundError, and JobTransitionError when it cannot be cancelled any more
   */
  async cancel(id: string, viewer: JobViewer): Promise<Job> {
    const { jobId } = await this.get(id, viewer);
    const cancelled = await this.#cancel(jobId, "cancelled on request");
    this.#pump();
    return cancelled;
  }

  /**
   * Starts a job again: a stuck one continues, and one that failed or was cancelled is created again.
   * @param id - its ID, or the beginning of it
   * @param viewer - the operator, or a sender
   * @returns the job that works now
   * @throws JobNotFoundError, and JobTransitionError in every other state
   */
  async restart(id: string, viewer: JobViewer): Promise<Job> {
    const job = await this.get(id, viewer);
    const { jobId, state, askedIn, model, priority, maxTokens, maxCost } = job;
    if (state === "failed" || state === "cancelled") {
      const { title, description, agentId } = job;
      const task = { title, description, agentId, creator: readCreator(job) };
      return await this.create({ ...task, askedIn, model, priority, maxTokens, maxCost });
    }
    if (state === "stuck" && !this.#isOpen) {
      throw new JobRefusedError(
        "only a running gateway can continue it; start one, `openclaw run`",
      );
    }
    if (state !== "stuck") throw new JobTransitionError(jobId, state, "in_progress");
    if (!(await this.#runner.begin(job, "repair"))) {
      throw new MaxJobsExceededError(this.#dependencies.settings().maxParallel);
    }
    return await this.get(jobId, viewer);
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
   * Resolves when a job has no work left.
   * @param jobId - ID of the job
   * @param signal - ends the wait, not the job
   */
  async ended(jobId: string, signal: AbortSignal): Promise<Job> {
    return await this.#changes.ended(jobId, signal);
  }

  /** Takes up the jobs of an earlier process, once their turns are in their queues, and starts the pending ones. */
  async recover(): Promise<void> {
    const { store } = this.#dependencies;
    this.#isOpen = true;
    for (const job of await store.jobs.inStates(["in_progress"])) {
      await this.#logged(this.#runner.takeUp(job));
    }
    for (const job of await store.jobs.undelivered()) void this.#logged(this.#results.deliver(job));
    this.#checkLater();
    this.#pump();
  }

  /** Starts nothing more, and follows no turn; the next process continues. */
  close(): void {
    this.#isOpen = false;
    this.#dependencies.clock.timers.clearTimeout(this.#check);
    this.#runner.close();
  }

  /** Looks for stuck jobs, repairs them, and delivers what is left (JOB-019). */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const { store } = this.#dependencies;
      this.#runner.stopStuck();
      for (const job of await store.jobs.inStates(["stuck"])) await this.#repair(job);
      for (const job of await store.jobs.undelivered()) await this.#results.deliver(job);
      await this.#acceptOld();
    } finally {
      this.#isChecking = false;
    }
    this.#pump();
  }

  async #repair(job: Job): Promise<void> {
    const { store, settings } = this.#dependencies;
    const { jobId, repairAttempts } = job;
    if (repairAttempts < settings().maxRepairs) {
      await this.#runner.begin(job, "repair");
      return;
    }
    const moves = await store.jobs.moves(jobId);
    const why = moves.at(-1)?.reason ?? "it is stuck";
    const message = `${why}, also after ${repairAttempts} repairs; look at it with \`openclaw jobs log ${jobId}\``;
    const failure = { code: "JOB_STUCK", message };
    const failed = await store.jobs.move(jobId, "failed", { from: "stuck", reason: why, failure });
    this.#changes.tell(failed);
    this.#ended(failed);
  }

  async #acceptOld(): Promise<void> {
    const { store, settings, clock } = this.#dependencies;
    const { autoAcceptMs } = settings();
    if (autoAcceptMs === undefined) return;
    for (const job of await store.jobs.inStates(["submitted"])) {
      if ((job.completedAt ?? 0) > clock.now() - autoAcceptMs) continue;
      const reason = "accepted after jobs.autoAcceptSeconds";
      this.#changes.tell(await store.jobs.move(job.jobId, "accepted", { reason }));
    }
  }

  async #cancel(jobId: string, reason: string): Promise<Job> {
    const { store } = this.#dependencies;
    const cancelled = await store.jobs.move(jobId, "cancelled", { reason });
    if (!this.#runner.stop(jobId, "cancelled")) await this.#endTurn(cancelled);
    this.#changes.tell(cancelled);
    for (const child of await store.jobs.childrenOf(jobId)) {
      const isOver = isTerminalJobState(child.state);
      if (isOver || child.state === "completed" || child.state === "submitted") continue;
      await this.#cancel(child.jobId, `job ${jobId}, which asked for it, was cancelled`);
    }
    return cancelled;
  }

  /** Ends a turn that no process runs, so that the next one does not resume it. */
  async #endTurn({ runId, state: outcome }: Job): Promise<void> {
    const { store } = this.#dependencies;
    const turn = runId === undefined ? undefined : await store.turns.get(runId);
    if (turn === undefined || turn.endedAt !== undefined) return;
    await store.transaction(async (unit) => {
      await unit.turns.finish(turn.runId, { state: "interrupted", stopReason: "interrupted" });
      await unit.jobs.runs.end(turn.runId, { outcome, reason: "cancelled on request" });
    });
  }

  #ended(job: Job): void {
    const isToDeliver = job.state === "completed" || job.state === "failed";
    if (isToDeliver) void this.#logged(this.#results.deliver(job));
    this.#pump();
  }

  /** Starts pending jobs until every place is taken, one after another. */
  #pump(): void {
    if (!this.#isOpen) return;
    this.#pumping = this.#pumping.then(async () => {
      await this.#logged(this.#startPending());
    });
  }

  async #startPending(): Promise<void> {
    while (this.#isOpen) {
      const next = await this.#dependencies.store.jobs.nextPending();
      if (next === undefined || !(await this.#runner.begin(next, "new"))) return;
    }
  }

  #checkLater(): void {
    const { clock, settings } = this.#dependencies;
    this.#check = clock.timers.setTimeout(() => {
      this.#checkLater();
      void this.#logged(this.check());
    }, settings().checkMs);
  }

  async #logged(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#dependencies.logger.error(`the jobs could not continue: ${errorMessage(error)}`),
    );
  }
}

function assertTask({ title, description }: JobRequest): void {
  if (title.trim() === "" || description.trim() === "") {
    throw new JobRefusedError("its title and its description must not be empty");
  }
  if (title.trim().length > LONGEST_TITLE) {
    throw new JobRefusedError(`its title has more than ${LONGEST_TITLE} characters; shorten it`);
  }
  const bytes = Buffer.byteLength(description);
  if (bytes > MOST_DESCRIPTION_BYTES) {
    throw new JobRefusedError(
      `its description has ${bytes} bytes, and at most ${MOST_DESCRIPTION_BYTES} are allowed; put it into a file and name the file`,
    );
  }
}

/** Returns a version 8 UUID that is the same for the same text. */
function idOf(identity: string): string {
  const hex = sha256(identity);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}
