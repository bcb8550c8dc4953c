import { sha256 } from "@openclaw/foundation";
import type { Messaging } from "@openclaw/messaging";
import type { Job, Store } from "@openclaw/store";
import { JobBudgetExceededError } from "@openclaw/store/errors";
import type { JobChanges } from "./changes.js";
import { targetOf } from "./creator.js";
import { JobNotWaitingError, JobRefusedError } from "./errors.js";
import type { JobRunner } from "./runner.js";
import { questionText } from "./text.js";
import type { JobClock } from "./work-clock.js";

/** Time after which a question that nobody answers ends its job. */
const PATIENCE_MS = 86_400_000;

/** Budget that the creator of a job adds; as much again as it had when both are absent. */
export interface MoreBudget {
  readonly tokens?: number | undefined;
  /** Millionths of a US dollar. */
  readonly cost?: number | undefined;
}

/** Dependencies of {@link JobQuestions}. */
export interface JobQuestionsDependencies {
  readonly store: Store;
  readonly posts: Messaging["posts"];
  readonly changes: Pick<JobChanges, "tell">;
  readonly runner: Pick<JobRunner, "giveUp">;
  readonly clock: Pick<JobClock, "now">;
}

/** Asks the creators of jobs whose budget is used up whether to continue, and takes their answers (JOB-391). */
export class JobQuestions {
  readonly #dependencies: JobQuestionsDependencies;

  /** @param dependencies - store, conversations, events, runner and clock */
  constructor(dependencies: JobQuestionsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Brings the question of a job to the conversation that asked, once. The job fails when it cannot be asked there, and
   * when nobody has answered for a day.
   * @param job - job with a question
   */
  async ask(job: Job): Promise<void> {
    const { clock } = this.#dependencies;
    const { question } = job;
    if (question === undefined) return;
    if (clock.now() - question.askedAt > PATIENCE_MS) {
      return await this.#giveUp(job, "nobody answered within a day");
    }
    if (question.isDelivered === true) return;
    const problem = question.isDelivered === false ? "unknown" : await this.#post(job);
    if (problem !== undefined) await this.#giveUp(job, `nobody could be asked (${problem})`);
  }

  /**
   * Raises the budget of a job that asks for more, so that it can continue.
   * @param jobId - ID of the job
   * @param more - what is added
   * @throws JobNotWaitingError when it has no question
   * @throws JobRefusedError when it has no budget of the unit
   */
  async answer(jobId: string, more: MoreBudget): Promise<Job> {
    const { store, changes } = this.#dependencies;
    const answered = await store.transaction(async (unit) => {
      const job = await unit.jobs.get(jobId);
      if (job?.question === undefined) throw new JobNotWaitingError(jobId);
      const raised = raisedLimits(job, more);
      await unit.jobs.change(jobId, { ...raised, question: null });
      return { ...job, ...raised, question: undefined };
    });
    changes.tell(answered);
    return answered;
  }

  /** Returns why the question did not reach the conversation; undefined when it did, or is being sent. */
  async #post(job: Job): Promise<string | undefined> {
    const { jobId, runId = "", askedIn: sessionKey = "", agentId } = job;
    const text = questionText(job);
    // The same for a repeat after a crash.
    const postId = sha256(`question ${runId}`).slice(0, 32);
    const post = { runId: postId, sessionKey, agentId, target: targetOf(job), text };
    const outcome = await this.#dependencies.posts.postOnce(post, {
      async isOpen(unit) {
        const now = await unit.jobs.get(jobId);
        return now?.question !== undefined && now.question.isDelivered === undefined;
      },
      async record(unit, { state }) {
        const question = (await unit.jobs.get(jobId))?.question;
        if (question === undefined) return;
        const isDelivered = state === "delivered";
        await unit.jobs.change(jobId, { question: { ...question, isDelivered } });
      },
    });
    return outcome === undefined || outcome.state === "delivered" ? undefined : outcome.reason;
  }

  async #giveUp({ jobId, question }: Job, why: string): Promise<void> {
    const message = `${question?.text ?? "its budget is used up"}; ${why}`;
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
