import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { JobState } from "./job-state.js";

/** A job cannot move from its state to another (JOB-003). */
export class JobTransitionError extends OpenClawError {
  static override readonly code = "JOB_TRANSITION";
  static override readonly kind = "conflict";
  readonly jobId: string;
  readonly from: JobState;
  readonly to: JobState;

  constructor(jobId: string, from: JobState, to: JobState) {
    super(
      `Cannot transition from ${from} to ${to}: job ${jobId} was not changed; \`openclaw jobs show ${jobId}\` shows what happened to it`,
    );
    this.jobId = jobId;
    this.from = from;
    this.to = to;
  }
}

/** A job used more tokens or money than its budget (JOB-007). */
export class JobBudgetExceededError extends OpenClawError {
  static override readonly code = "JOB_BUDGET_EXCEEDED";
  static override readonly kind = "busy";

  constructor(jobId: string, unit: "tokens" | "cost", used: string, maximum: string) {
    super(
      `job ${jobId} used ${used} of the ${maximum} that its budget of ${unit} allows; create it again with a larger budget`,
    );
  }
}

/** Work was done under a lease that another owner or another run has by now (JOB-009). */
export class LeaseLostError extends OpenClawError {
  static override readonly code = "LEASE_LOST";
  static override readonly kind = "conflict";

  constructor(key: string, owner: string, token: number) {
    super(
      `the lease ${token} of ${key} is no longer held by ${owner}, so nothing was stored; the holder of the newer lease continues the work`,
    );
  }
}
