import type { ApprovalActor, ApprovalBroker } from "@openclaw/approval-broker";
import { ApprovalNotFoundError } from "@openclaw/approval-broker";
import { referenceOf, summarizeApproval, summarizeGrant } from "@openclaw/messaging";
import type {
  ApprovalMethod,
  ApprovalMethodParameters,
  ApprovalMethodResults,
} from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { GrantNotFoundError } from "../errors.js";

/** What the approval methods work with. */
export interface ApprovalAdministrationHost {
  readonly store: Pick<Store, "approvals" | "approvalGrants" | "audit">;
  readonly approvals: Pick<ApprovalBroker, "decide" | "expire" | "revoke">;
  /** As whom the methods answer. */
  readonly actor: ApprovalActor;
}

/** The approval methods of a host, the same for the command line and the wire. */
export type ApprovalAdministration = {
  readonly [Method in ApprovalMethod]: (
    parameters: ApprovalMethodParameters<Method>,
  ) => Promise<ApprovalMethodResults[Method]>;
};

/**
 * Makes the approval methods of a host (APPR-035).
 * @param host - questions, grants and audit
 */
export function createApprovalAdministration(
  host: ApprovalAdministrationHost,
): ApprovalAdministration {
  const { store, approvals, actor } = host;

  async function get(idOrCode: string): Promise<Approval> {
    const approval = await store.approvals.get(referenceOf(idOrCode));
    if (approval === undefined) throw new ApprovalNotFoundError(idOrCode);
    return approval;
  }

  return {
    "approvals.list": async ({ state = "pending", ...filter }) => {
      await approvals.expire();
      return summarized(await store.approvals.list({ state, ...filter }));
    },
    "approvals.get": async ({ id }) => {
      await approvals.expire();
      return summarizeApproval(await get(id));
    },
    "approvals.resolve": async ({ id, ...answer }) => {
      const via = actor.channel;
      const settled = await approvals.decide(referenceOf(id), { ...answer, via }, actor);
      return summarizeApproval(settled);
    },
    "approvals.history": async (filter) => {
      await approvals.expire();
      return summarized(await store.approvals.list({ ...filter, isSettled: true }));
    },
    "approvals.grants": async (filter) => {
      const grants = await store.approvalGrants.list(filter);
      return { grants: grants.map(summarizeGrant) };
    },
    "approvals.revoke": async (which) => {
      const revoked = await approvals.revoke("id" in which ? which : "all", actor);
      if ("id" in which && revoked.length === 0) throw new GrantNotFoundError(which.id);
      return { revoked: revoked.map(summarizeGrant) };
    },
    "approvals.audit": async ({ id, ...filter }) => {
      const about = id === undefined ? {} : { approvalId: (await get(id)).id };
      return { entries: await store.audit.list({ ...filter, ...about }) };
    },
    "approvals.verify": () => store.audit.verify(),
  };
}

async function summarized(approvals: readonly Approval[]) {
  return { approvals: await Promise.all(approvals.map(summarizeApproval)) };
}
