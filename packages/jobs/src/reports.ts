import { errorMessage, type TimerHandle } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { JobProgress } from "@openclaw/plugin-sdk/tools";
import type { Job, JobStep, Store } from "@openclaw/store";
import type { JobChanges } from "./changes.js";
import { JobNotFoundError, JobNotRunningError, JobRefusedError } from "./errors.js";
import type { JobClock } from "./work-clock.js";

/** Shortest time between two stored reports of a tool. */
const INTERVAL_MS = 1000;

/** Number of prompts that wait for one job, and their size. */
const MOST_PROMPTS = 32;
const MOST_PROMPT_BYTES = 32 * 1024;

/** Dependencies of {@link JobReports}. */
export interface JobReportsDependencies {
  readonly store: Store;
  readonly changes: Pick<JobChanges, "tell">;
  readonly clock: JobClock;
  readonly logger: Logger;
}

/** Stores the plans of jobs, how far their tools are, and further prompts for them (JOB-014, JOB-393, JOB-981). */
export class JobReports {
  readonly #dependencies: JobReportsDependencies;
  /** Newest report of each job that is not stored yet. */
  readonly #waiting = new Map<string, JobProgress>();
  readonly #timers = new Map<string, TimerHandle>();

  /** @param dependencies - store, events, clock and log */
  constructor(dependencies: JobReportsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores the plan of a job that runs.
   * @param sessionKey - session of the job
   * @param plan - all of its steps
   * @throws JobNotFoundError when no job runs in the session
   */
  async plan(sessionKey: string, plan: readonly JobStep[]): Promise<Job> {
    const { store, changes } = this.#dependencies;
    const planned = await store.transaction(async (unit) => {
      const job = await unit.jobs.ofSession(sessionKey);
      if (job?.state !== "in_progress") throw new JobNotFoundError(sessionKey, "does not run");
      await unit.jobs.change(job.jobId, { plan });
      return { ...job, plan };
    });
    changes.tell(planned);
    return planned;
  }

  /**
   * Stores a further prompt of a job that works, which reads it after its next tool call or in another turn (JOB-393).
   * @param jobId - ID of the job
   * @param text - the prompt
   * @throws JobNotRunningError when it does not work now
   * @throws JobRefusedError for an empty or too long prompt, and when too many wait
   */
  async prompt(jobId: string, text: string): Promise<Job> {
    assertPrompt(text);
    const { store, changes } = this.#dependencies;
    const prompted = await store.transaction(async (unit) => {
      const job = await unit.jobs.get(jobId);
      if (job?.state !== "in_progress" || job.budgetRequest !== undefined) {
        throw new JobNotRunningError(jobId);
      }
      const prompts = [...(job.prompts ?? []), text];
      if (prompts.length > MOST_PROMPTS) {
        throw new JobRefusedError(
          `${MOST_PROMPTS} prompts wait to be read; send the next one later`,
        );
      }
      await unit.jobs.change(jobId, { prompts });
      return { ...job, prompts };
    });
    changes.tell(prompted);
    return prompted;
  }

  /**
   * Stores how far a tool is, at most once a second; of the reports between, the newest counts.
   * @param jobId - ID of the job
   * @param progress - amount that is done
   */
  progress(jobId: string, progress: JobProgress): void {
    this.#waiting.set(jobId, progress);
    if (!this.#timers.has(jobId)) this.#storeNewest(jobId);
  }

  /** Stores nothing more. */
  close(): void {
    for (const timer of this.#timers.values()) {
      this.#dependencies.clock.timers.clearTimeout(timer);
    }
    this.#timers.clear();
    this.#waiting.clear();
  }

  #storeNewest(jobId: string): void {
    const { clock, logger } = this.#dependencies;
    const progress = this.#waiting.get(jobId);
    this.#waiting.delete(jobId);
    this.#timers.delete(jobId);
    if (progress === undefined) return;
    const timer = clock.timers.setTimeout(() => this.#storeNewest(jobId), INTERVAL_MS);
    this.#timers.set(jobId, timer);
    this.#store(jobId, progress).catch((error: unknown) =>
      logger.error(`the progress of a job could not be stored: ${errorMessage(error)}`, { jobId }),
    );
  }

  async #store(jobId: string, progress: JobProgress): Promise<void> {
    const { store, changes } = this.#dependencies;
    const reported = await store.transaction(async (unit) => {
      const job = await unit.jobs.get(jobId);
      if (job?.state !== "in_progress") return undefined;
      await unit.jobs.change(jobId, { progress });
      return { ...job, progress };
    });
    if (reported !== undefined) changes.tell(reported);
  }
}

function assertPrompt(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (text.trim() === "") throw new JobRefusedError("a prompt must not be empty");
  if (bytes <= MOST_PROMPT_BYTES) return;
  throw new JobRefusedError(
    `the prompt has ${bytes} bytes, and at most ${MOST_PROMPT_BYTES} are allowed; put it into a file and name the file`,
  );
}
