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
  /** Conversation of a target, which the node that has its channel shows requests. */
  readonly target?: string | undefined;
  /**
   * Returns true if requests of an origin are for this approver; absent for one that they all are for.
   * @param origin - session, and kind of the request
   */
  accepts?(origin: ApprovalOrigin): boolean;
  /** Returns true while requests reach this approver from this node; absent for one that they always reach. */
  isReachable?(): boolean;
  /**
   * Shows a request once it is stored, and again once it is settled.
   * @param approval - the request in its current state
   * @returns false when nothing was shown, for example because it was shown before
   */
  show(approval: ApprovalSummary): boolean | void | Promise<boolean | void>;
}

/** Approvers of a node that requests of every session reach. */
export interface SharedApprovers {
  /** True if there is one. */
  readonly all: boolean;
  /** Targets whose channels run on the node. */
  readonly targets: readonly string[];
}

const NOWHERE: SharedApprovers = { all: false, targets: [] };

/** Reachable approvers, and the requests that they are shown (APPR-024, APPR-031). */
export class ApproverPresence {
  readonly #broker: ApprovalKnowledge;
  readonly #store: Pick<Store, "decisions" | "sessions" | "jobs" | "routines">;
  readonly #logger: Logger;
  readonly #approvers = new Set<Approver>();
  readonly #stop: readonly (() => void)[];
  #elsewhere: () => SharedApprovers = () => NOWHERE;
  #changed = (): void => undefined;

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
   * @returns function that removes the approver
   */
  attend(approver: Approver): () => void {
    this.#approvers.add(approver);
    logRejection(this.#showPending(approver), this.#logger);
    const isShared = approver.sessionKey === undefined;
    if (isShared) this.#changed();
    return () => {
      if (this.#approvers.delete(approver) && isShared) this.#changed();
    };
  }

  /** Approvers of this node that requests of every session reach. */
  get shared(): SharedApprovers {
    const reachable = [...this.#approvers].filter((each) => each.isReachable?.() !== false);
    const isForAll = ({ sessionKey, target, accepts }: Approver) =>
      [sessionKey, target, accepts].every((each) => each === undefined);
    return {
      all: reachable.some(isForAll),
      targets: reachable.flatMap(({ target }) => target ?? []).sort(),
    };
  }

  /**
   * Counts the approvers of other nodes as reachable: a request is shown on every node (APPR-531).
   * @param elsewhere - returns the approvers of the other nodes
   * @param changed - called when {@link ApproverPresence.shared} may have changed
   */
  share(elsewhere: () => SharedApprovers, changed: () => void): void {
    this.#elsewhere = elsewhere;
    this.#changed = changed;
  }

  /**
   * Returns true when an approver would see a request.
   * @param lineage - session of the request, followed by its ancestors
   * @param kind - kind of the request; any kind when absent
   */
  isAttended(lineage: readonly string[], kind?: ApprovalKind): boolean {
    const elsewhere = this.#elsewhere();
    if (elsewhere.all) return true;
    const approvers = [...this.#approvers].filter((each) => isFor(each, lineage, kind));
    return approvers.some(
      ({ target, ...approver }) =>
        approver.isReachable?.() !== false ||
        (target !== undefined && elsewhere.targets.includes(target)),
    );
  }

  /** Stops showing requests. */
  close(): void {
    for (const stop of this.#stop) stop();
    this.#approvers.clear();
  }

  async #showAll(approval: Approval): Promise<void> {
    if (this.#approvers.size === 0) return;
    const lineage = await sessionLineage(approval.sessionKey, this.#store);
    const there = [...this.#approvers].filter(
      (each) => isFor(each, lineage, approval.kind) && each.isReachable?.() !== false,
    );
    if (there.length === 0) return;
    const summary = await summarizeApproval(approval, this.#broker);
    await Promise.all(there.map((approver) => this.#show(approver, summary)));
  }

  async #showPending(approver: Approver): Promise<void> {
    const { sessionKey } = approver;
    const filter = defined({ state: "pending" as const, sessionKey });
    for (const approval of (await this.#store.decisions.approvals.list(filter)).toReversed()) {
      const origin = { sessionKey: approval.sessionKey, kind: approval.kind };
      const isShown = approver.isReachable?.() !== false && approver.accepts?.(origin) !== false;
      if (this.#approvers.has(approver) && isShown) {
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

function isFor(approver: Approver, lineage: readonly string[], kind?: ApprovalKind): boolean {
  const { sessionKey } = approver;
  if (sessionKey !== undefined && !lineage.includes(sessionKey)) return false;
  const [own = ""] = lineage;
  return approver.accepts?.({ sessionKey: own, kind }) !== false;
}
