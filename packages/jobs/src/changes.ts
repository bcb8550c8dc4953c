import { defined } from "@openclaw/foundation";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import type { EventPublisher } from "@openclaw/protocol";
import { isTerminalJobState, type Job } from "@openclaw/store";
import { readCreator } from "./creator.js";
import { planSummary } from "./plan.js";

/** Tells clients and waiting callers of the changes of jobs. */
export class JobChanges {
  readonly #publisher: EventPublisher;
  /** Jobs whose results waiting callers have read, and which are still to be recorded as delivered. */
  readonly #read = new Set<string>();
  readonly #waiting = new Map<string, Set<(job: Job) => void>>();
  readonly #observers = new Map<string, Set<(job: Job) => void>>();

  /** @param publisher - sends events to the clients */
  constructor(publisher: EventPublisher) {
    this.#publisher = publisher;
  }

  /**
   * Tells of a change that is stored.
   * @param job - the job as it is now
   */
  tell(job: Job): void {
    const { jobId, title, state, askedIn, awaitsApproval, failure, parentId } = job;
    const { plan, progress, budgetRequest } = job;
    this.#publisher.publish("job.changed", {
      ...{ jobId, title, state, awaitsApproval, channel: readCreator(job).channel },
      ...defined({ sessionKey: askedIn, parentId, reason: failure?.message, progress }),
      ...defined({ question: budgetRequest?.text }),
      ...(plan && { plan: planSummary(plan) }),
    });
    for (const observer of [...(this.#observers.get(jobId) ?? [])]) observer(job);
    if (!hasWorkLeft(job)) this.#resolve(job);
  }

  /**
   * Calls a function with a job each time it has changed.
   * @param jobId - ID of the job
   * @param observer - receives the job; it does not throw
   * @returns ends the calls
   */
  observe(jobId: string, observer: (job: Job) => void): Unregister {
    const observers = this.#observers.get(jobId) ?? new Set();
    // Each registration is one, also of the same function.
    const registered = (job: Job) => observer(job);
    this.#observers.set(jobId, observers.add(registered));
    const stop = () => {
      observers.delete(registered);
      if (observers.size === 0 && this.#observers.get(jobId) === observers) {
        this.#observers.delete(jobId);
      }
    };
    return Object.assign(() => stop(), { [Symbol.dispose]: stop });
  }

  /**
   * Returns true while a caller waits for the end of a job, and its conversation for that caller.
   * @param jobId - ID of the job
   */
  isAwaited(jobId: string): boolean {
    return this.#waiting.has(jobId);
  }

  /** Returns true, once, when a caller waited for the end of a job and has read its result. */
  takeRead(jobId: string): boolean {
    return this.#read.delete(jobId);
  }

  /**
   * Resolves when a job has no work left.
   * @param jobId - ID of the job
   * @param signal - ends the wait, not the job
   * @throws the reason of the signal
   */
  ended(jobId: string, signal: AbortSignal): Promise<Job> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(jobId) ?? new Set();
      this.#waiting.set(jobId, waiting);
      const stop = () => {
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(jobId);
        signal.removeEventListener("abort", aborted);
      };
      const done = (job: Job) => {
        stop();
        resolve(job);
      };
      const aborted = () => {
        stop();
        reject(signal.reason);
      };
      waiting.add(done);
      signal.addEventListener("abort", aborted);
      if (signal.aborted) aborted();
    });
  }

  #resolve(job: Job): void {
    const waiting = [...(this.#waiting.get(job.jobId) ?? [])];
    const isDelivered = job.state === "completed" || job.state === "failed";
    if (waiting.length > 0 && isDelivered) this.#read.add(job.jobId);
    for (const done of waiting) done(job);
  }
}

/**
 * Returns true while a job waits for its start, runs, or is to be repaired.
 * @param job - the job
 */
function hasWorkLeft({ state }: Pick<Job, "state">): boolean {
  return !isTerminalJobState(state) && state !== "completed" && state !== "submitted";
}
