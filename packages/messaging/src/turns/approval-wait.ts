import type { ApprovalBroker } from "@openclaw/approval-broker";
import { followSignals } from "./signal.js";

/** End of a turn's wait: the turn continues now, or after the next start of the host. */
export type ApprovalWaitEnd = "continue" | "suspend";

/** Turns of a host that wait for approval. Each holds only a promise (APPR-012). */
export class ApprovalWaits {
  readonly #approvals: Pick<ApprovalBroker, "settled" | "cancelFor">;
  readonly #closing = new AbortController();

  /** @param approvals - notifies when an approval request is settled */
  constructor(approvals: Pick<ApprovalBroker, "settled" | "cancelFor">) {
    this.#approvals = approvals;
  }

  /**
   * Waits until a turn can continue: its approval request is settled, or the turn was interrupted, which
   * cancels the request.
   * @param approvalId - ID of the approval request
   * @param runId - ID of the turn
   * @param interruptions - signals that interrupt the turn
   */
  async wait(
    approvalId: string,
    runId: string,
    ...interruptions: readonly (AbortSignal | undefined)[]
  ): Promise<ApprovalWaitEnd> {
    using interrupted = followSignals(...interruptions);
    using ended = followSignals(this.#closing.signal, interrupted.signal);
    try {
      await this.#approvals.settled(approvalId, ended.signal);
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    }
    if (interrupted.signal.aborted) await this.#approvals.cancelFor({ runId }, "interrupt");
    else if (this.#closing.signal.aborted) return "suspend";
    return "continue";
  }

  /** Suspends every wait because the host stops; the next host resumes the turns. */
  close(): void {
    this.#closing.abort(new Error("the host is stopping"));
  }
}
