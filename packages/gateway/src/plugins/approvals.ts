import { type ApprovalBroker, resolutionOf } from "@openclaw/approval-broker";
import { defined, nearestName } from "@openclaw/foundation";
import type { ApproverPresence } from "@openclaw/messaging";
import { SessionNotFoundError, sessionLineage } from "@openclaw/messaging";
import type { ApprovalRecord, ApprovalRequest } from "@openclaw/plugin-sdk/approvals";
import type { PluginApprovalResolution } from "@openclaw/plugin-sdk/hooks";
import type { HostApprovalPort } from "@openclaw/plugin-sdk/services";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";

const NEARBY_SESSIONS = 100;

/** Dependencies of {@link createPluginApprovals}. */
export interface PluginApprovalsHost {
  readonly store: Pick<Store, "decisions" | "sessions">;
  readonly approvals: Pick<ApprovalBroker, "request">;
  readonly presence: Pick<ApproverPresence, "isAttended">;
}

/**
 * Creates the approval port of plugins: they request approvals outside tool calls and look up their requests
 * (APPR-006). It cannot decide a request, so a plugin cannot approve its own.
 * @param host - approval requests and approver presence
 */
export function createPluginApprovals(
  host: PluginApprovalsHost,
): NonNullable<HostApprovalPort["approvals"]> {
  return {
    request: (pluginId, request) => ask(pluginId, request, host),
    async get(pluginId, id) {
      const approval = await host.store.decisions.approvals.get(id);
      if (approval === undefined || !asked(pluginId, approval)) return undefined;
      return recordOf(approval);
    },
  };
}

/** Requests approval and resolves with the decision. The wait ends with the process; the request does not. */
async function ask(
  pluginId: string,
  { onStored, sessionKey, ...question }: ApprovalRequest,
  { store, approvals, presence }: PluginApprovalsHost,
): Promise<PluginApprovalResolution> {
  const session = await store.sessions.get(sessionKey);
  if (session === undefined) {
    const known = await store.sessions.list({ limit: NEARBY_SESSIONS });
    const keys = known.map((each) => each.sessionKey);
    throw new SessionNotFoundError(sessionKey, nearestName(sessionKey, keys));
  }
  const { agentId } = session;
  const isAttended = presence.isAttended(await sessionLineage(sessionKey, store));
  return await new Promise((resolve, reject) => {
    approvals
      .request({ ...question, pluginId, sessionKey, agentId, isAttended }, resolve)
      .then((verdict) => {
        if (verdict.status === "denied") resolve("deny");
        else if (verdict.approval !== undefined) onStored?.(verdict.approval.id);
      })
      .catch(reject);
  });
}

function asked(pluginId: string, approval: Approval): boolean {
  return approval.pluginId === pluginId || approval.alsoRequestedBy.includes(pluginId);
}

function recordOf(approval: Approval): ApprovalRecord {
  const { id, sessionKey, tool, decidedBy } = approval;
  const decision = resolutionOf(approval);
  return {
    id,
    sessionKey,
    ...defined({ tool, decision, decidedBy }),
  };
}
