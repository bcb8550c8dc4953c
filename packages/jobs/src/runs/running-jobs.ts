import type { TimerHandle } from "@openclaw/foundation";
import type { Job, Lease } from "@openclaw/store";
import type { StopCause } from "../verdict.js";
import type { JobClock, WorkClock } from "../work-clock.js";

/** First and longest wait before a failed model is called again. */
const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 600_000;

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
  /** Resolves when its first turn in this process is followed. */
  begun: Promise<void>;
  /** Resolves when this process has ended its work on the job. */
  readonly left: Promise<void>;
  /** Ends that promise. */
  leave(): void;
}

/** The jobs on which this process works. */
export class RunningJobs {
  readonly #clock: JobClock;
  readonly #jobs = new Map<string, RunningJob>();

  /** @param clock - clock and timers */
  constructor(clock: JobClock) {
    this.#clock = clock;
  }

  /** Adds a job. */
  add(job: Job, lease: Lease): RunningJob {
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const running = {
      ...{ job, lease, clock: undefined, runId: undefined, cause: undefined, wait: undefined },
      ...{ progressAt: this.#clock.elapsed(), failures: 0, begun: Promise.resolve() },
      ...{ left, leave: () => leave() },
    };
    this.#jobs.set(job.jobId, running);
    return running;
  }

  /** Returns a job on which this process works. */
  get(jobId: string): RunningJob | undefined {
    return this.#jobs.get(jobId);
  }

  /** Returns all of them. */
  all(): readonly RunningJob[] {
    return [...this.#jobs.values()];
  }

  /** Removes a job. */
  remove(jobId: string): void {
    const running = this.#jobs.get(jobId);
    if (running === undefined) return;
    this.#jobs.delete(jobId);
    running.clock?.stop();
    this.#clock.timers.clearTimeout(running.wait);
    running.leave();
  }
}

/** Counts a failure of the model, and returns the wait before it is called again. */
export function nextWait(running: RunningJob): number {
  running.failures += 1;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (running.failures - 1));
}
