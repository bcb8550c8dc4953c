import type { ApprovalActor, ApprovalBroker } from "@openclaw/approval-broker";
import { ApprovalNotFoundError, GrantNotFoundError } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import {
  type ApprovalAuditEntry,
  approvalMethods,
  type MethodCaller,
  OPERATOR_CALL,
} from "@openclaw/protocol";
import { MethodRegistry, readPageCursor, writePageCursor } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { Approval, AuditEntry } from "@openclaw/store/decisions";
import { referenceOf } from "./answer.js";
import { summarizeApproval, summarizeGrant } from "./summary.js";

/** Callers that are the operator: the process itself, and the holder of the gateway's own token. */
const OPERATORS: ReadonlySet<string> = new Set([OPERATOR_CALL.caller.id, "gateway"]);

/** Number of settled requests on a page, unless the caller wants another. */
const PAGE = 100;

/** Dependencies of {@link createApprovalMethods}. */
export interface ApprovalMethodDependencies {
  readonly store: Pick<Store, "decisions">;
  readonly approvals: Pick<
    ApprovalBroker,
    "decide" | "expire" | "hold" | "jobOf" | "revoke" | "runsInSandbox" | "votesOf"
  >;
}

/**
 * Creates the approval methods (APPR-035).
 * @param dependencies - approval requests, grants and audit log
 */
export function createApprovalMethods(
  dependencies: ApprovalMethodDependencies,
): MethodRegistry<typeof approvalMethods> {
  const { store, approvals } = dependencies;

  async function get(idOrCode: string): Promise<Approval> {
    const approval = await store.decisions.approvals.get(referenceOf(idOrCode));
    if (approval === undefined) throw new ApprovalNotFoundError(idOrCode);
    return approval;
  }

  const summary = (approval: Approval) => summarizeApproval(approval, approvals);
  const summaries = async (list: readonly Approval[]) => ({
    approvals: await Promise.all(list.map(summary)),
  });

  return MethodRegistry.of(approvalMethods, {
    "approvals.list": async ({ state = "pending", ...filter }) => {
      await approvals.expire();
      return summaries(await store.decisions.approvals.list({ state, ...filter }));
    },
    "approvals.get": async ({ id }) => {
      await approvals.expire();
      return summary(await get(id));
    },
    "approvals.resolve": async ({ id, ...answer }, { caller }) => {
      const actor = actorOf(caller);
      const via = actor.channel;
      // The method reads parameters of JSON only.
      const input = "input" in answer ? (answer.input as JsonObject) : undefined;
      const given = { ...answer, input, via };
      const settled = await approvals.decide(referenceOf(id), given, actor);
      return summary(settled);
    },
    "approvals.hold": async ({ id }) => summary(await approvals.hold(referenceOf(id))),
    "approvals.history": async ({ cursor, limit = PAGE, ...filter }) => {
      await approvals.expire();
      const selection = { ...filter, isSettled: true };
      const at = cursor === undefined ? undefined : readPageCursor("approvals.history", cursor);
      const after = at && { createdAt: at.at, id: at.id };
      const list = store.decisions.approvals;
      // One more tells whether there is a next page.
      const found = await list.list({ ...selection, after, limit: limit + 1 });
      const last = found.length > limit ? found[limit - 1] : undefined;
      const names = cursor === undefined ? await list.settledNames() : undefined;
      return {
        ...(await summaries(found.slice(0, limit))),
        total: await list.count(selection),
        ...defined({
          nextCursor: last && writePageCursor({ at: last.createdAt, id: last.id }),
          tools: names && [...names.tools],
          deciders: names && [...names.approvers],
        }),
      };
    },
    "approvals.grants": async (filter) => {
      const grants = await store.decisions.grants.list(filter);
      return { grants: grants.map(summarizeGrant) };
    },
    "approvals.revoke": async (which, { caller }) => {
      const revoked = await approvals.revoke("id" in which ? which : "all", actorOf(caller));
      if ("id" in which && revoked.length === 0) throw new GrantNotFoundError(which.id);
      return { revoked: revoked.map(summarizeGrant) };
    },
    "approvals.audit": async ({ id, ...filter }) => {
      const about = id === undefined ? {} : { approvalId: (await get(id)).id };
      const entries = await store.decisions.auditLog.list({ ...filter, ...about });
      return { entries: entries.map(auditEntry) };
    },
    "approvals.verify": () => store.decisions.auditLog.verify(),
  });
}

/** Returns the approver that a client is: the scope of the methods is the right to decide (APPR-028). */
function actorOf({ id, via }: MethodCaller): ApprovalActor {
  const senderId = OPERATORS.has(id) ? "operator" : id;
  const isOwner = OPERATORS.has(id);
  return { channel: via === "process" ? "cli" : via, senderId, isOwner, mayApprove: true };
}

function auditEntry({ actor, ...entry }: AuditEntry): ApprovalAuditEntry {
  return defined({ ...entry, actor: actor === undefined ? undefined : defined(actor) });
}
