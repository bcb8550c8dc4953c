import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A turn that is taken up again does not come by the steps that its journal holds. */
export class TurnRecordError extends OpenClawError {
  static override readonly code = "TURN_RECORD";
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
