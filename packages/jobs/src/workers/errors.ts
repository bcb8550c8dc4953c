import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A machine cannot run jobs in an execution model, and the job is not run with less separation (JOB-038). */
export class JobModeUnavailableError extends OpenClawError {
  static override readonly code = "JOB_MODE_UNAVAILABLE";
  static override readonly kind = "unavailable";

  /**
   * @param mode - execution model
   * @param problems - missing parts of each runtime, and the next step
   */
  constructor(mode: string, problems: readonly string[]) {
    super(
      `this machine cannot run a job with mode ${mode}, and it is not run with less separation: ${problems.join("; ")}; \`openclaw jobs runtimes\` shows what is available`,
    );
  }
}

/** The API of workers cannot listen. */
export class WorkerApiError extends OpenClawError {
  static override readonly code = "WORKER_API";
  static override readonly kind = "unavailable";

  /** @param problem - reason and next step */
  constructor(problem: string) {
    super(`the API of workers could not be opened: ${problem}`);
  }
}

/** A worker ended without a result. */
export class WorkerFailedError extends OpenClawError {
  static override readonly code = "WORKER_FAILED";
  static override readonly kind = "unavailable";

  /** @param problem - end of the worker, and the next step */
  constructor(problem: string) {
    super(`the worker of the job failed: ${problem}`);
  }
}

/** The workspace of a job cannot be copied for a worker, or its changes cannot be applied. */
export class WorkerWorkspaceError extends OpenClawError {
  static override readonly code = "WORKER_WORKSPACE";
  static override readonly kind = "conflict";

  /** @param problem - reason and next step */
  constructor(problem: string) {
    super(`the workspace of the job cannot be used: ${problem}`);
  }
}
