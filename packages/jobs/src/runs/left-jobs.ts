import type { Store } from "@openclaw/store";
import type { JobTurns } from "./runner-dependencies.js";

/** Dependencies of {@link LeftJobs}. */
export interface LeftJobsDependencies {
  readonly store: Store;
  readonly messaging: JobTurns;
}

/** Jobs of whose work something could not be stored, for example because the disk was full. */
export class LeftJobs {
  readonly #dependencies: LeftJobsDependencies;
  readonly #jobs = new Set<string>();

  /** @param dependencies - store, and queues of turns */
  constructor(dependencies: LeftJobsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Number of jobs. */
  get size(): number {
    return this.#jobs.size;
  }

  /** Adds a job, which the next check takes up. */
  add(jobId: string): void {
    this.#jobs.add(jobId);
  }

  /**
   * Takes the jobs up again.
   * @param takeUp - continues a job
   */
  async takeUp(takeUp: (jobId: string) => Promise<void>): Promise<void> {
    const { store, messaging } = this.#dependencies;
    for (const jobId of [...this.#jobs]) {
      const job = await store.jobs.get(jobId);
      const runId = job?.runId;
      const isQueued = messaging.live
        .turns(job?.sessionKey ?? "")
        .some(({ turn }) => turn.runId === runId);
      const turn = runId === undefined || isQueued ? undefined : await store.turns.get(runId);
      // Its end is one of the things that could not be stored; nothing resumes it in this process.
      if (turn !== undefined && turn.endedAt === undefined) {
        await store.turns.finish(turn.runId, { state: "interrupted", stopReason: "interrupted" });
      }
      this.#jobs.delete(jobId);
      if (job?.state === "in_progress") await takeUp(jobId);
    }
  }
}
