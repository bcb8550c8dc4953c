import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A host has as many unfinished jobs as it may have (JOB-008). */
export class MaxJobsExceededError extends OpenClawError {
  static override readonly code = "MAX_JOBS_EXCEEDED";
  static override readonly kind = "busy";

  /** @param maximum - maximum number of unfinished jobs */
  constructor(maximum: number) {
    super(
      `MaxJobsExceeded: ${maximum} jobs are unfinished, the maximum; wait for one to end, cancel one with \`/job cancel <id>\`, or raise jobs.maxActive`,
    );
  }
}

/** No job has the ID, or it belongs to another user (JOB-046). */
export class JobNotFoundError extends OpenClawError {
  static override readonly code = "JOB_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param id - ID as it was given
   * @param problem - reason, when it is not that no job has it
   */
  constructor(id: string, problem = "not found") {
    super(`job "${id}" ${problem}; \`/jobs\` and \`openclaw jobs list\` show the IDs`);
  }
}

/** A job has no open budget request. */
export class JobNotWaitingError extends OpenClawError {
  static override readonly code = "JOB_NOT_WAITING";
  static override readonly kind = "conflict";

  /** @param jobId - ID of the job */
  constructor(jobId: string) {
    super(
      `job ${jobId} does not wait for an answer; \`openclaw jobs show ${jobId}\` shows its state`,
    );
  }
}

/** A job does not work now, so that it could read a prompt. */
export class JobNotRunningError extends OpenClawError {
  static override readonly code = "JOB_NOT_RUNNING";
  static override readonly kind = "conflict";

  /** @param jobId - ID of the job */
  constructor(jobId: string) {
    super(
      `job ${jobId} does not work now, and cannot read a prompt; \`openclaw jobs show ${jobId}\` shows its state`,
    );
  }
}

/** A file is outside the workspace of a job, or holds secrets (CHAN-034). */
export class JobFileForbiddenError extends OpenClawError {
  static override readonly code = "JOB_FILE_FORBIDDEN";
  static override readonly kind = "forbidden";

  /** @param problem - which rule closes the path, and the next step */
  constructor(problem: string) {
    super(`the file of the job was not read: ${problem}`);
  }
}

/** A file of a job cannot be read. */
export class JobFileError extends OpenClawError {
  static override readonly code = "JOB_FILE_UNREADABLE";
  static override readonly kind = "not-found";

  /** @param problem - reason and next step */
  constructor(problem: string) {
    super(`the file of the job was not read: ${problem}`);
  }
}

/** A job was not created or continued, because what was asked is not within the bounds. */
export class JobRefusedError extends OpenClawError {
  static override readonly code = "JOB_REFUSED";
  static override readonly kind = "invalid";

  /** @param problem - reason and next step */
  constructor(problem: string) {
    super(`the job was not started: ${problem}`);
  }
}
