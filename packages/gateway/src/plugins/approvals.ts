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

/** What the questions of plugins need of the host. */
export interface PluginApprovalsHost {
  readonly store: Pick<Store, "decisions" | "sessions">;
  readonly approvals: Pick<ApprovalBroker, "request">;
  readonly presence: Pick<ApproverPresence, "isAttended">;
}

/**
 * The approvals' side of a host's services: plugins ask outside tool calls, and look up what they asked
 * (APPR-006). Nothing here answers a question; a plugin that asks cannot.
 * @param host - questions, and who is there to be asked
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

/** Resolves with the answer; the waiting ends with the process, the question does not. */
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
