import type { ApprovalBroker } from "@openclaw/approval-broker";
import { followSignals } from "./signal.js";

/** How the wait of a paused turn ended: it goes on, or stays for the next start of the host. */
export type PauseEnd = "go-on" | "stay";

/** The turns of a host that wait for answers. They hold a promise each, and nothing else (APPR-012). */
export class TurnPauses {
  readonly #approvals: Pick<ApprovalBroker, "settled" | "cancelFor">;
  readonly #closing = new AbortController();

  /** @param approvals - tells when a question is settled */
  constructor(approvals: Pick<ApprovalBroker, "settled" | "cancelFor">) {
    this.#approvals = approvals;
  }

  /**
   * Waits until a turn can go on: its question is settled, or it was interrupted, which calls the question
   * off.
   * @param approvalId - the question
   * @param runId - of the turn
   * @param interruptions - each ends the turn early
   */
  async wait(
    approvalId: string,
    runId: string,
    ...interruptions: readonly (AbortSignal | undefined)[]
  ): Promise<PauseEnd> {
    using interrupted = followSignals(...interruptions);
    using ended = followSignals(this.#closing.signal, interrupted.signal);
    try {
      await this.#approvals.settled(approvalId, ended.signal);
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    }
    if (interrupted.signal.aborted) await this.#approvals.cancelFor({ runId }, "interrupt");
    else if (this.#closing.signal.aborted) return "stay";
    return "go-on";
  }

  /** Ends every wait: the host stops, and the next one goes on with what waits. */
  close(): void {
    this.#closing.abort(new Error("the host is stopping"));
  }
}
