import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/**
 * The reason with which a host that ends aborts its turns: they write nothing more, and go on from their
 * journals after its next start.
 */
export class TurnSuspendedError extends OpenClawError {
  static override readonly code = "TURN_SUSPENDED";
  static override readonly kind = "unavailable";

  constructor() {
    super("the host is stopping; the turn goes on after its next start");
  }
}

/** A turn that is taken up again does not come by the steps that its journal holds. */
export class TurnRecordError extends OpenClawError {
  static override readonly code = "TURN_RECORD";
  static override readonly kind = "conflict";
  readonly runId: string;

  /**
   * @param runId - the run
   * @param expected - what the turn is about to do
   * @param found - what the journal holds in its place
   */
  constructor(runId: string, expected: string, found: string) {
    super(
      `run ${runId} cannot go on from its journal: the turn comes to ${expected}, and the journal holds ${found}; send the message again`,
    );
    this.runId = runId;
  }
}
