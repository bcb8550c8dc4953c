import type { TimerHandle } from "@openclaw/foundation";
import { isJobKey } from "@openclaw/messaging";
import { isLegalMove, type Job, type Store } from "@openclaw/store";
import type { JobChanges } from "./changes.js";
import type { JobRunner } from "./runs/runner.js";
import type { JobClock } from "./work-clock.js";

/** Time that a turn has to end before the answer is that the job is cancelled (JOB-011). */
const GRACE_MS = 100;

/** Dependencies of {@link JobCancellation}. */
export interface JobCancellationDependencies {
  readonly store: Store;
  readonly changes: Pick<JobChanges, "tell">;
  readonly runner: Pick<JobRunner, "stop">;
  readonly clock: JobClock;
}

/** Ends jobs before their work is finished, together with the jobs that they asked for (JOB-011). */
export class JobCancellation {
  readonly #dependencies: JobCancellationDependencies;

  /** @param dependencies - store, events, runner and clock */
  constructor(dependencies: JobCancellationDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Cancels a job and all jobs below it. Their state is stored first, so that no restart continues them; then their
   * turns are told to end, and have a short time for that.
   * @param jobId - ID of the job
   * @throws JobTransitionError when it cannot be cancelled any more; nothing is changed
   */
  async cancel(jobId: string): Promise<Job> {
    const { store, changes } = this.#dependencies;
    // One transaction, so that no job below is left to itself when the process is killed.
    const cancelled = await store.transaction((unit) => cancelTree(unit, jobId));
    for (const job of cancelled) changes.tell(job);
    await Promise.all(cancelled.map((job) => this.#endTurn(job)));
    const [first] = cancelled;
    return (await store.jobs.get(jobId)) ?? first;
  }

  /**
   * Ends the turns of jobs that were cancelled just before an earlier process was killed; call it before turns are
   * resumed.
   */
  async endLeftTurns(): Promise<void> {
    const { store } = this.#dependencies;
    for (const { sessionKey } of await store.turns.unfinished()) {
      if (!isJobKey(sessionKey)) continue;
      const job = await store.jobs.ofSession(sessionKey);
      if (job?.state === "cancelled") await this.#endStored(job);
    }
  }

  async #endTurn(job: Job): Promise<void> {
    const ending = this.#dependencies.runner.stop(job.jobId, "cancelled");
    if (ending === undefined) await this.#endStored(job);
    else await this.#withinGrace(ending);
  }

  /** Waits for the end of a turn, but no longer than the grace; a turn that ends later stores nothing in its job. */
  async #withinGrace(ending: Promise<void>): Promise<void> {
    const { timers } = this.#dependencies.clock;
    let timer: TimerHandle | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = timers.setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([ending, grace]);
    timers.clearTimeout(timer);
  }

  /** Ends a turn that no process runs, so that the next one does not resume it. */
  async #endStored({ runId, state: outcome }: Job): Promise<void> {
    const { store } = this.#dependencies;
    const turn = runId === undefined ? undefined : await store.turns.get(runId);
    if (turn === undefined || turn.endedAt !== undefined) return;
    await store.transaction(async (unit) => {
      await unit.turns.finish(turn.runId, { state: "interrupted", stopReason: "interrupted" });
      await unit.jobs.runs.end(turn.runId, { outcome, reason: "cancelled on request" });
    });
  }
}

/** Moves a job and the jobs below it to `cancelled`, except for jobs that have ended by themselves. */
async function cancelTree(unit: Store, jobId: string): Promise<readonly [Job, ...Job[]]> {
  const all: [Job, ...Job[]] = [
    await unit.jobs.move(jobId, "cancelled", { reason: "cancelled on request" }),
  ];
  const reason = `job ${jobId}, which asked for it, was cancelled`;
  const below = [...(await unit.jobs.childrenOf(jobId))];
  // The list grows while it is read.
  for (const job of below) {
    below.push(...(await unit.jobs.childrenOf(job.jobId)));
    if (isLegalMove(job.state, "cancelled")) {
      all.push(await unit.jobs.move(job.jobId, "cancelled", { reason }));
    }
  }
  return all;
}
