import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Data that the replay of a run needs was never recorded or has been removed. */
export class RunNotReplayableError extends OpenClawError {
  static override readonly code = "RUN_NOT_REPLAYABLE";
  static override readonly kind = "not-found";
  readonly runId: string;

  /** @param what - `problem` is what is missing, `nextStep` what to do instead */
  constructor(runId: string, { problem, nextStep }: { problem: string; nextStep: string }) {
    super(`run ${runId} cannot be replayed: ${problem}; ${nextStep}`);
    this.runId = runId;
  }
}

/** A replayed turn stops because the recorded run ended at this step. */
export class ReplayEndedError extends OpenClawError {
  static override readonly code = "REPLAY_ENDED";
  static override readonly kind = "conflict";

  constructor() {
    super("the replay ends here: the recorded run diverged or has no further step");
  }
}

/** A model failed in the recorded run; the replay fails the same way. */
export class RecordedFailureError extends OpenClawError {
  static override readonly code = "RECORDED_FAILURE";
  static override readonly kind = "unavailable";
}
