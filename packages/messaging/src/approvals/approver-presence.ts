import { logRejection } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { Approval, ApprovalKind } from "@openclaw/store/decisions";
import { failureRecord } from "../messages/failure-record.js";
import { sessionLineage } from "../sessions/lineage.js";
import type { ApprovalOrigin } from "./delivery-rule.js";
import { type ApprovalKnowledge, summarizeApproval } from "./summary.js";

/** Approver who is shown approval requests and can decide them. */
export interface Approver {
  /** Name in the audit log of the place where requests are shown, for example `terminal`. */
  readonly channel: string;
  /** Session whose requests are shown, together with those of its subagents; all sessions when absent. */
  readonly sessionKey?: string | undefined;
  /**
   * Returns true while requests of an origin reach this approver; absent for one that they always reach.
   * @param origin - session, and kind of the request
   */
  accepts?(origin: ApprovalOrigin): boolean;
  /**
   * Shows a request once it is stored, and again once it is settled.
   * @param approval - the request in its current state
   * @returns false when nothing was shown, for example because it was shown before
   */
  show(approval: ApprovalSummary): boolean | void | Promise<boolean | void>;
}

/** Reachable approvers, and the requests that they are shown (APPR-024, APPR-031). */
export class ApproverPresence {
  readonly #broker: ApprovalKnowledge;
  readonly #store: Pick<Store, "decisions" | "sessions" | "jobs" | "routines">;
  readonly #logger: Logger;
  readonly #approvers = new Set<Approver>();
  readonly #stop: readonly (() => void)[];

  /**
   * @param broker - notifies of new and settled approval requests, and knows how allowed commands run
   * @param store - storage of approval requests
   * @param logger - receives failures to show a request
   */
  constructor(
    broker: Pick<ApprovalBroker, "onRequested" | "onDecided"> & ApprovalKnowledge,
    store: Pick<Store, "decisions" | "sessions" | "jobs" | "routines">,
    logger: Logger,
  ) {
    this.#broker = broker;
    this.#store = store;
    this.#logger = logger;
    const tell = (approval: Approval) => logRejection(this.#showAll(approval), logger);
    this.#stop = [broker.onRequested(tell), broker.onDecided(tell)];
  }

  /**
   * Adds an approver and shows it the pending requests at once.
   * @param approver - the approver
   * @returns function that removes the approver
   */
  attend(approver: Approver): () => void {
    this.#approvers.add(approver);
    logRejection(this.#showPending(approver), this.#logger);
    return () => void this.#approvers.delete(approver);
  }

  /**
   * Returns true when an approver would see a request.
   * @param lineage - session of the request, followed by its ancestors
   * @param kind - kind of the request; any kind when absent
   */
  isAttended(lineage: readonly string[], kind?: ApprovalKind): boolean {
    return [...this.#approvers].some((approver) => sees(approver, lineage, kind));
  }

  /** Stops showing requests. */
  close(): void {
    for (const stop of this.#stop) stop();
    this.#approvers.clear();
  }

  async #showAll(approval: Approval): Promise<void> {
    if (this.#approvers.size === 0) return;
    const lineage = await sessionLineage(approval.sessionKey, this.#store);
    const there = [...this.#approvers].filter((each) => sees(each, lineage, approval.kind));
    if (there.length === 0) return;
    const summary = await summarizeApproval(approval, this.#broker);
    await Promise.all(there.map((approver) => this.#show(approver, summary)));
  }

  async #showPending(approver: Approver): Promise<void> {
    const { sessionKey } = approver;
    const filter = defined({ state: "pending" as const, sessionKey });
    for (const approval of (await this.#store.decisions.approvals.list(filter)).toReversed()) {
      const origin = { sessionKey: approval.sessionKey, kind: approval.kind };
      if (this.#approvers.has(approver) && approver.accepts?.(origin) !== false) {
        await this.#show(approver, await summarizeApproval(approval, this.#broker));
      }
    }
  }

  async #show(approver: Approver, approval: ApprovalSummary): Promise<void> {
    const { id: approvalId, sessionKey, digest, state } = approval;
    try {
      const isShown = await approver.show(approval);
      if (state !== "pending" || isShown === false) return;
      const via = approver.channel;
      await this.#store.decisions.auditLog.append({
        event: "delivered",
        approvalId,
        sessionKey,
        digest,
        via,
      });
    } catch (error) {
      this.#logger.error(
        `an approval request could not be shown: ${failureRecord(error).message}`,
        {
          code: "APPROVAL_NOT_SHOWN",
          approvalId,
        },
      );
    }
  }
}

function sees(approver: Approver, lineage: readonly string[], kind?: ApprovalKind): boolean {
  const { sessionKey } = approver;
  if (sessionKey !== undefined && !lineage.includes(sessionKey)) return false;
  const [own = ""] = lineage;
  return approver.accepts?.({ sessionKey: own, kind }) !== false;
}
