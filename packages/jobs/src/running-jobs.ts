import { randomUUID } from "node:crypto";
import { errorMessage, type TimerHandle } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Job, Lease, Store } from "@openclaw/store";
import type { StopCause } from "./verdict.js";
import type { JobClock, WorkClock } from "./work-clock.js";

/** Time of a lease, and interval of its renewal (JOB-009). */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3_000;

/** A job on which this process works. */
export interface RunningJob {
  readonly job: Job;
  readonly lease: Lease;
  clock: WorkClock | undefined;
  runId: string | undefined;
  /** Time of its last sign of progress, on the clock that does not change with that of the machine. */
  progressAt: number;
  cause: StopCause | undefined;
  /** Number of times in a row that the model failed. */
  failures: number;
  /** Wait before the next turn. */
  wait: TimerHandle | undefined;
  /** Resolves when this process has ended its work on the job. */
  readonly left: Promise<void>;
  /** Ends that promise. */
  leave(): void;
}

/** Dependencies of {@link RunningJobs}. */
export interface RunningJobsDependencies {
  readonly store: Pick<Store, "leases">;
  readonly clock: JobClock;
  readonly logger: Logger;
  /**
   * Called when another process has the lease of a job.
   * @param jobId - ID of the job
   */
  lost(jobId: string): void;
}

/** The jobs on which this process works, each under a lease that is renewed (JOB-009). */
export class RunningJobs {
  readonly #dependencies: RunningJobsDependencies;
  readonly #owner = randomUUID();
  readonly #jobs = new Map<string, RunningJob>();
  #renewal: TimerHandle | undefined;

  /** @param dependencies - leases, clock and log */
  constructor(dependencies: RunningJobsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Acquires the lease of a job. Another owner is a dead process, because a host opens its database exclusively.
   * @param unit - database or transaction
   * @param jobId - ID of the job
   */
  async acquire(unit: Pick<Store, "leases">, jobId: string): Promise<Lease | undefined> {
    const options = { ttlMs: LEASE_MS, seize: true };
    return await unit.leases.acquire(`job:${jobId}`, this.#owner, options);
  }

  /**
   * Adds a job.
   * @param job - the job
   * @param lease - its lease, which is renewed from now on
   */
  add(job: Job, lease: Lease): void {
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#jobs.set(job.jobId, {
      ...{ job, lease, clock: undefined, runId: undefined, cause: undefined, wait: undefined },
      ...{ progressAt: this.#dependencies.clock.elapsed(), failures: 0 },
      ...{ left, leave: () => leave() },
    });
    this.#renewal ??= this.#renewLater();
  }

  /**
   * Returns a job on which this process works.
   * @param jobId - ID of the job
   */
  get(jobId: string): RunningJob | undefined {
    return this.#jobs.get(jobId);
  }

  /** Returns all of them. */
  all(): readonly RunningJob[] {
    return [...this.#jobs.values()];
  }

  /**
   * Removes a job.
   * @param jobId - ID of the job
   */
  remove(jobId: string): void {
    const { timers } = this.#dependencies.clock;
    const running = this.#jobs.get(jobId);
    if (running === undefined) return;
    this.#jobs.delete(jobId);
    running.clock?.stop();
    timers.clearTimeout(running.wait);
    running.leave();
    if (this.#jobs.size > 0) return;
    timers.clearTimeout(this.#renewal);
    this.#renewal = undefined;
  }

  #renewLater(): TimerHandle {
    const { clock, logger } = this.#dependencies;
    return clock.timers.setTimeout(() => {
      this.#renewal = this.#renewLater();
      this.#renew().catch((error: unknown) =>
        logger.error(`the leases of jobs could not be renewed: ${errorMessage(error)}`),
      );
    }, RENEWAL_MS);
  }

  async #renew(): Promise<void> {
    const { store, lost } = this.#dependencies;
    for (const { job, lease } of this.all()) {
      if (!(await store.leases.renew(lease, LEASE_MS))) lost(job.jobId);
    }
  }
}
