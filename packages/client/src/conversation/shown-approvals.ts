import { errorMessage, escapeUnseen, operatorName } from "@openclaw/foundation/display";
import type { ApprovalSummary } from "@openclaw/protocol";
import { ApprovalHold } from "./approval-hold.js";
import type { ConversationPartner } from "./partner.js";
import type { ApprovalView, ConversationView, DecisionOfUser } from "./view.js";

const OUTCOMES: Readonly<Record<ApprovalSummary["state"], string>> = {
  pending: "not decided",
  "allowed-once": "allowed once",
  "allowed-always": "allowed from now on",
  denied: "denied",
  "timed-out": "timed out",
  cancelled: "cancelled",
};

/** Dependencies of {@link ShownApprovals}. */
export interface ShownApprovalsDependencies {
  readonly partner: Pick<ConversationPartner, "answer" | "call" | "sessionKey">;
  readonly view: Pick<ConversationView, "approval" | "note">;
  /** Called when a request was shown or settled. */
  changed(): void;
}

/** Approval requests on the screen of a conversation. */
export class ShownApprovals {
  readonly #dependencies: ShownApprovalsDependencies;
  readonly #views = new Map<string, ApprovalView>();
  /** Requests whose decision is being sent, with how they were settled meanwhile. */
  readonly #deciding = new Map<string, ApprovalSummary | undefined>();
  /** True after the user interrupted the turn that waits for the shown requests. */
  #isInterrupted = false;
  readonly #hold: ApprovalHold;

  /** @param dependencies - gateway and screen */
  constructor(dependencies: ShownApprovalsDependencies) {
    this.#dependencies = dependencies;
    this.#hold = new ApprovalHold(dependencies.partner);
  }

  /** Number of requests that the user can decide. */
  get count(): number {
    return this.#views.size;
  }

  /** Records that the user is there. */
  keyPressed(): void {
    this.#hold.input();
  }

  /** Records that the user interrupts the turn: its requests go away without a word. */
  interrupted(): void {
    this.#isInterrupted = true;
  }

  /** Stops keeping requests from expiring. */
  end(): void {
    this.#hold.end();
  }

  /**
   * Shows a pending request, or the outcome of one that was shown.
   * @param approval - request in its current state
   */
  show(approval: ApprovalSummary): void {
    const { view, changed } = this.#dependencies;
    const shown = this.#views.get(approval.id);
    if (approval.state === "pending") {
      if (shown !== undefined) return;
      this.#isInterrupted = false;
      const card = view.approval(approval, (decision) => void this.#decide(approval, decision));
      this.#views.set(approval.id, card);
      this.#hold.add(approval.id);
    } else if (this.#deciding.has(approval.id)) {
      this.#deciding.set(approval.id, approval);
    } else if (shown !== undefined) {
      this.#settle(approval);
    }
    changed();
  }

  /**
   * Shows the requests of a conversation that were pending before it was opened.
   * @param jobIds - IDs of the jobs that the conversation asked for
   */
  async showPending(jobIds: ReadonlySet<string>): Promise<void> {
    const { call, sessionKey } = this.#dependencies.partner;
    const { approvals } = await call("approvals.list", { state: "pending" });
    for (const approval of approvals.toReversed()) {
      const isOfJob = approval.job !== undefined && jobIds.has(approval.job.jobId);
      if (isOfJob || approval.sessionKey === sessionKey) this.show(approval);
    }
  }

  #settle(approval: ApprovalSummary): void {
    if (this.#isInterrupted && approval.state === "cancelled") {
      this.#remove(approval.id);
      return;
    }
    const { code, state, decidedBy = "the host" } = approval;
    const outcome = `${nameOf(approval)} was ${OUTCOMES[state]} by ${escapeUnseen(operatorName(decidedBy) ?? decidedBy)} (${code})`;
    this.#dependencies.view.note(outcome, "info");
    this.#views.get(approval.id)?.settle(outcome);
    this.#forget(approval.id);
  }

  #remove(id: string): void {
    this.#views.get(id)?.remove();
    this.#forget(id);
  }

  #forget(id: string): void {
    this.#views.delete(id);
    this.#hold.delete(id);
  }

  async #decide(approval: ApprovalSummary, decision: DecisionOfUser): Promise<void> {
    const { partner, view, changed } = this.#dependencies;
    const { id } = approval;
    this.#deciding.set(id, undefined);
    try {
      const missing = await partner.answer(approval, decision);
      if (missing !== undefined) view.note(escapeUnseen(missing), "info");
      this.#remove(id);
    } catch (error) {
      view.note(errorMessage(error), "error");
      const settled = this.#deciding.get(id);
      if (settled === undefined) this.#views.get(id)?.retry();
      else this.#settle(settled);
    }
    this.#deciding.delete(id);
    changed();
  }
}

function nameOf({ tool, title }: ApprovalSummary): string {
  return escapeUnseen(tool ?? title);
}
