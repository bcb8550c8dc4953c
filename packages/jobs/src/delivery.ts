import type { Messaging } from "@openclaw/messaging";
import type { Job, JobDelivery, OutboxRow, Store } from "@openclaw/store";
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
   */
  async deliver(job: Job): Promise<void> {
    const { store, posts, changes } = this.#dependencies;
    const { jobId, askedIn: sessionKey, runId, agentId } = job;
    if (changes.takeRead(jobId)) {
      return await this.#record(jobId, { state: "delivered", reason: "a tool call waited for it" });
    }
    const turn = runId === undefined ? undefined : await store.turns.get(runId);
    if (sessionKey === undefined || turn === undefined) {
      const reason = "no conversation asked for it";
      return await this.#record(jobId, { state: "suppressed", reason });
    }
    const known = await store.messages.outbox.partsOf(turn.runId);
    if (known.length > 0) return await this.#recordRows(jobId, known);
    const { inboxId } = turn;
    const target = targetOf(job);
    const post = { runId: turn.runId, inboxId, sessionKey, agentId, target, text: textOf(job) };
    const delivery = await posts.post(post, async (unit, state) => {
      const now = await unit.jobs.get(jobId);
      if (now === undefined || now.delivery !== undefined) return false;
      if ((await unit.messages.outbox.partsOf(turn.runId)).length > 0) return false;
      if (state === "shown") await recordIn(unit, now, { state: "delivered" });
      if (state !== "no-session") return true;
      const reason = "the conversation that asked no longer exists; the result is kept here";
      await recordIn(unit, now, { state: "failed", reason });
      return false;
    });
    const after = await store.jobs.get(jobId);
    if (after === undefined) return;
    if (delivery === undefined || after.delivery !== undefined) return changes.tell(after);
    switch (delivery.status) {
      case "delivered":
        return await this.#record(jobId, { state: "delivered" });
      case "suppressed":
        return await this.#record(jobId, { state: "suppressed", reason: delivery.reason });
      case "failed":
        return await this.#record(jobId, { state: "failed", reason: delivery.error });
    }
  }

  /** Records the delivery by an earlier process, once all of its messages have ended. */
  async #recordRows(jobId: string, rows: readonly OutboxRow[]): Promise<void> {
    if (rows.some(({ state }) => state === "pending")) return;
    const bad = rows.find(({ state }) => state === "failed") ?? rows.find(isSuppressed);
    if (bad === undefined) return await this.#record(jobId, { state: "delivered" });
    const reason = bad.error?.message ?? bad.reason;
    const state = bad.state === "failed" ? "failed" : "suppressed";
    await this.#record(jobId, { state, reason });
  }

  async #record(jobId: string, delivery: JobDelivery): Promise<void> {
    const { store, changes } = this.#dependencies;
    const job = await store.transaction(async (unit) => {
      const now = await unit.jobs.get(jobId);
      if (now === undefined || now.delivery !== undefined) return undefined;
      return await recordIn(unit, now, delivery);
    });
    if (job !== undefined) changes.tell(job);
  }
}

function isSuppressed({ state }: OutboxRow): boolean {
  return state === "suppressed";
}

async function recordIn(unit: Store, job: Job, delivery: JobDelivery): Promise<Job> {
  await unit.jobs.change(job.jobId, { delivery });
  const isSubmitted = delivery.state === "delivered" && job.state === "completed";
  if (!isSubmitted) return { ...job, delivery };
  return await unit.jobs.move(job.jobId, "submitted", {
    from: "completed",
    reason: delivery.reason,
  });
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
