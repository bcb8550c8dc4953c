import { sha256 } from "@openclaw/foundation";
import type { Messaging } from "@openclaw/messaging";
import type { Job, Store } from "@openclaw/store";
import { JobBudgetExceededError } from "@openclaw/store/errors";
import type { JobChanges } from "./changes.js";
import { targetOf } from "./creator.js";
import { JobNotWaitingError, JobRefusedError } from "./errors.js";
import type { JobRunner } from "./runs/runner.js";
import { budgetRequestText } from "./text.js";
import type { JobClock } from "./work-clock.js";

/** Time after which a job fails when its budget request is not answered. */
const PATIENCE_MS = 86_400_000;

/** Budget that the creator of a job adds; as much again as it had when both are absent. */
export interface MoreBudget {
  readonly tokens?: number | undefined;
  /** Millionths of a US dollar. */
  readonly cost?: number | undefined;
}

/** Dependencies of {@link JobBudgetRequests}. */
export interface JobBudgetRequestsDependencies {
  readonly store: Store;
  readonly posts: Messaging["posts"];
  readonly changes: Pick<JobChanges, "tell">;
  readonly runner: Pick<JobRunner, "giveUp">;
  readonly clock: Pick<JobClock, "now">;
}

/** Asks the creators of jobs whose budget is used up whether to continue, and takes their answers (JOB-391). */
export class JobBudgetRequests {
  readonly #dependencies: JobBudgetRequestsDependencies;

  /** @param dependencies - store, conversations, events, runner and clock */
  constructor(dependencies: JobBudgetRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Posts the budget request of a job, once, to the conversation that asked for the job. The job fails when the request
   * cannot be delivered, and when no user has answered it within a day.
   * @param job - job with a budget request
   */
  async ask(job: Job): Promise<void> {
    const { clock } = this.#dependencies;
    const { budgetRequest } = job;
    if (budgetRequest === undefined) return;
    if (clock.now() - budgetRequest.askedAt > PATIENCE_MS) {
      return await this.#giveUp(job, "no user answered within a day");
    }
    if (budgetRequest.isDelivered === true) return;
    const problem = budgetRequest.isDelivered === false ? "unknown" : await this.#post(job);
    if (problem !== undefined) await this.#giveUp(job, `no user could be asked (${problem})`);
  }

  /**
   * Raises the budget of a job that asks for more, so that it can continue.
   * @param jobId - ID of the job
   * @param more - added budget
   * @throws JobNotWaitingError when it has no open budget request
   * @throws JobRefusedError when it has no budget of the unit
   */
  async answer(jobId: string, more: MoreBudget): Promise<Job> {
    const { store, changes } = this.#dependencies;
    const answered = await store.transaction(async (unit) => {
      const job = await unit.jobs.get(jobId);
      if (job?.budgetRequest === undefined) throw new JobNotWaitingError(jobId);
      const raised = raisedLimits(job, more);
      await unit.jobs.change(jobId, { ...raised, budgetRequest: null });
      return { ...job, ...raised, budgetRequest: undefined };
    });
    changes.tell(answered);
    return answered;
  }

  /** Returns why the budget request did not reach the conversation; undefined when it did, or is being sent. */
  async #post(job: Job): Promise<string | undefined> {
    const { jobId, runId = "", askedIn: sessionKey = "", agentId } = job;
    const text = budgetRequestText(job);
    // The same for a repeat after a crash.
    const postId = sha256(`budget request ${runId}`).slice(0, 32);
    const post = { runId: postId, sessionKey, agentId, target: targetOf(job), text };
    const outcome = await this.#dependencies.posts.postOnce(post, {
      async isOpen(unit) {
        const now = await unit.jobs.get(jobId);
        return now?.budgetRequest !== undefined && now.budgetRequest.isDelivered === undefined;
      },
      async record(unit, { state }) {
        const budgetRequest = (await unit.jobs.get(jobId))?.budgetRequest;
        if (budgetRequest === undefined) return;
        const isDelivered = state === "delivered";
        await unit.jobs.change(jobId, { budgetRequest: { ...budgetRequest, isDelivered } });
      },
    });
    return outcome === undefined || outcome.state === "delivered" ? undefined : outcome.reason;
  }

  async #giveUp({ jobId, budgetRequest }: Job, why: string): Promise<void> {
    const message = `${budgetRequest?.text ?? "its budget is used up"}; ${why}`;
    await this.#dependencies.runner.giveUp(jobId, { code: JobBudgetExceededError.code, message });
  }
}

/** Returns the limits of a job with what its creator adds to what it has used. */
function raisedLimits(
  { usedTokens, maxTokens, usedCost, maxCost }: Job,
  { tokens, cost }: MoreBudget,
): { readonly maxTokens: number; readonly maxCost: number } {
  if (tokens !== undefined && maxTokens === 0) throw noBudget("tokens");
  if (cost !== undefined && maxCost === 0) throw noBudget("money");
  const isUnnamed = tokens === undefined && cost === undefined;
  const isOutOfTokens = maxTokens > 0 && usedTokens >= maxTokens;
  const moreTokens = tokens ?? (isUnnamed && isOutOfTokens ? maxTokens : 0);
  const moreCost = cost ?? (isUnnamed && !isOutOfTokens ? maxCost : 0);
  return {
    maxTokens: moreTokens === 0 ? maxTokens : Math.max(usedTokens, maxTokens) + moreTokens,
    maxCost: moreCost === 0 ? maxCost : Math.max(usedCost, maxCost) + moreCost,
  };
}

function noBudget(unit: string): JobRefusedError {
  return new JobRefusedError(
    `it has no budget of ${unit}; leave the amount out to give it as much again`,
  );
}
