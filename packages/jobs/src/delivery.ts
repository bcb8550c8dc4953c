import type { Messaging } from "@openclaw/messaging";
import type { Job, JobDelivery, Store } from "@openclaw/store";
import type { JobChanges } from "./changes.js";
import { targetOf } from "./creator.js";

/** Code of the failure of a job that no repair helped (JOB-021). */
export const STUCK_FAILURE = "JOB_STUCK";

/** Dependencies of {@link JobDelivery}. */
export interface JobResultsDependencies {
  readonly store: Store;
  readonly posts: Messaging["posts"];
  readonly changes: Pick<JobChanges, "takeRead" | "tell">;
}

/** Brings the results of jobs to the conversations that asked, each once (JOB-016). */
export class JobResults {
  readonly #dependencies: JobResultsDependencies;

  /** @param dependencies - store, conversations and events */
  constructor(dependencies: JobResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Delivers the result of a completed job, or the reason of a failed one. Once it was delivered, a completed job is
   * submitted. Does nothing when that happened before.
   * @param job - a completed or failed job
   * @returns false while messages that an earlier process stored are still being sent
   */
  async deliver(job: Job): Promise<boolean> {
    const { store, posts, changes } = this.#dependencies;
    const { jobId, askedIn: sessionKey, runId, agentId } = job;
    if (changes.takeRead(jobId)) {
      await this.#record(jobId, { state: "delivered", reason: "a tool call waited for it" });
      return true;
    }
    const turn = runId === undefined ? undefined : await store.turns.get(runId);
    if (sessionKey === undefined || turn === undefined) {
      const reason = "no conversation asked for it";
      await this.#record(jobId, { state: "suppressed", reason });
      return true;
    }
    const { inboxId } = turn;
    const target = targetOf(job);
    const post = { runId: turn.runId, inboxId, sessionKey, agentId, target, text: textOf(job) };
    const outcome = await posts.postOnce(post, {
      async isOpen(unit) {
        const now = await unit.jobs.get(jobId);
        return now !== undefined && now.delivery === undefined;
      },
      record: (unit, delivery) => recordIn(unit, jobId, delivery),
    });
    const after = await store.jobs.get(jobId);
    if (outcome !== undefined && after !== undefined) changes.tell(after);
    return after === undefined || after.delivery !== undefined;
  }

  async #record(jobId: string, delivery: JobDelivery): Promise<void> {
    const { store, changes } = this.#dependencies;
    await store.transaction((unit) => recordIn(unit, jobId, delivery));
    const job = await store.jobs.get(jobId);
    if (job !== undefined) changes.tell(job);
  }
}

/** Stores a delivery, once; a completed job whose result was delivered is submitted. */
async function recordIn(unit: Store, jobId: string, delivery: JobDelivery): Promise<void> {
  const kept = await unit.jobs.deliver(jobId, delivery);
  if (kept === undefined || kept.state !== "delivered") return;
  const job = await unit.jobs.get(jobId);
  if (job?.state !== "completed") return;
  await unit.jobs.move(jobId, "submitted", { from: "completed", reason: kept.reason });
}

/** Returns the message for the conversation that asked. */
function textOf({ title, state, result = "", failure, repairAttempts }: Job): string {
  if (state !== "completed") {
    const gaveUp = failure?.code === STUCK_FAILURE ? "Self-Repair: " : "";
    return `${gaveUp}Job "${title}" failed: ${failure?.message ?? "it failed"}`;
  }
  const repaired =
    repairAttempts > 0
      ? `Self-Repair: Job "${title}" was stuck, was started again and`
      : `Job "${title}"`;
  return `${repaired} is done:\n\n${result}`;
}
