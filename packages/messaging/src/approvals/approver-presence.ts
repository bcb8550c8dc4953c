import { logRejection } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { failureRecord } from "../messages/failure-record.js";
import { sessionLineage } from "../sessions/lineage.js";
import { summarizeApproval } from "./summary.js";

/** Somebody who is shown questions and can answer them. */
export interface Attendant {
  /** How the audit names where they were shown, for example `terminal`. */
  readonly channel: string;
  /** The conversation whose questions are meant, and those of its children; all when absent. */
  readonly sessionKey?: string;
  /**
   * Shows a question once it is stored, and again once it is settled.
   * @param approval - the question as it stands
   */
  show(approval: ApprovalSummary): void | Promise<void>;
}

/** Who is there to be asked, and what they are shown (APPR-024, APPR-031). */
export class ApprovalAttendance {
  readonly #store: Pick<Store, "approvals" | "audit" | "subagents">;
  readonly #logger: Logger;
  readonly #attendants = new Set<Attendant>();
  readonly #stop: readonly (() => void)[];

  /**
   * @param broker - tells of questions
   * @param store - where they lie
   * @param logger - told of what could not be shown
   */
  constructor(
    broker: Pick<ApprovalBroker, "onAsked" | "onDecided">,
    store: Pick<Store, "approvals" | "audit" | "subagents">,
    logger: Logger,
  ) {
    this.#store = store;
    this.#logger = logger;
    const tell = (approval: Approval) => logRejection(this.#showAll(approval), logger);
    this.#stop = [broker.onAsked(tell), broker.onDecided(tell)];
  }

  /**
   * Lets somebody attend; what waits already is shown at once.
   * @param attendant - who
   * @returns ends it
   */
  attend(attendant: Attendant): () => void {
    this.#attendants.add(attendant);
    logRejection(this.#showWaiting(attendant), this.#logger);
    return () => void this.#attendants.delete(attendant);
  }

  /**
   * Whether anybody would see a question.
   * @param lineage - the conversation it would be asked in, and those that it descends from
   */
  isAttended(lineage: readonly string[]): boolean {
    return [...this.#attendants].some((attendant) => attends(attendant, lineage));
  }

  /** Shows nothing more. */
  close(): void {
    for (const stop of this.#stop) stop();
    this.#attendants.clear();
  }

  async #showAll(approval: Approval): Promise<void> {
    if (this.#attendants.size === 0) return;
    const lineage = await sessionLineage(approval.sessionKey, this.#store);
    const there = [...this.#attendants].filter((each) => attends(each, lineage));
    if (there.length === 0) return;
    const summary = await summarizeApproval(approval);
    await Promise.all(there.map((attendant) => this.#show(attendant, summary)));
  }

  async #showWaiting(attendant: Attendant): Promise<void> {
    const { sessionKey } = attendant;
    const filter = {
      state: "pending",
      ...(sessionKey === undefined ? {} : { sessionKey }),
    } as const;
    for (const approval of (await this.#store.approvals.list(filter)).toReversed()) {
      if (this.#attendants.has(attendant)) {
        await this.#show(attendant, await summarizeApproval(approval));
      }
    }
  }

  async #show(attendant: Attendant, approval: ApprovalSummary): Promise<void> {
    const { id: approvalId, sessionKey, digest, state } = approval;
    try {
      await attendant.show(approval);
      if (state !== "pending") return;
      const via = attendant.channel;
      await this.#store.audit.append({ event: "delivered", approvalId, sessionKey, digest, via });
    } catch (error) {
      this.#logger.error(`a question could not be shown: ${failureRecord(error).message}`, {
        code: "APPROVAL_NOT_SHOWN",
        approvalId,
      });
    }
  }
}

function attends({ sessionKey }: Attendant, lineage: readonly string[]): boolean {
  return sessionKey === undefined || lineage.includes(sessionKey);
}
