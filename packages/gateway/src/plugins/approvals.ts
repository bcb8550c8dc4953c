import {
  type ApprovalBroker,
  ownInputRequest,
  type PluginApprovalRequest,
  resolutionOf,
} from "@openclaw/approval-broker";
import { defined, nearestName } from "@openclaw/foundation";
import type { ApproverPresence } from "@openclaw/messaging";
import { SessionNotFoundError, sessionLineage } from "@openclaw/messaging";
import { PluginRegistrationError } from "@openclaw/plugin-runtime";
import type {
  ApprovalRecord,
  ApprovalRequest,
  ApprovalSubmission,
} from "@openclaw/plugin-sdk/approvals";
import type { PluginApprovalResolution } from "@openclaw/plugin-sdk/hooks";
import type { HostApprovalPort } from "@openclaw/plugin-sdk/services";
import type { InputRequest } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { Approval, ApprovalInput } from "@openclaw/store/decisions";

const NEARBY_SESSIONS = 100;

/** Dependencies of {@link createPluginApprovals}. */
export interface PluginApprovalsHost {
  readonly store: Pick<Store, "decisions" | "sessions" | "jobs" | "routines">;
  readonly approvals: Pick<ApprovalBroker, "request" | "cancelFor" | "waitsForApprovers">;
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
    async submit(pluginId, request) {
      const verdict = await host.approvals.request(await requestOf(pluginId, request, host));
      if (verdict.status === "pending") {
        const { id, code } = verdict.approval;
        return { status: "pending", id, code };
      }
      const reason = verdict.status === "denied" ? verdict.reason : "the request was not stored";
      return { status: "denied", reason };
    },
    async reach(_pluginId, sessionKey) {
      const lineage = await sessionLineage(sessionKey, host.store);
      if (host.presence.isAttended(lineage, "plugin")) return { sessionKey, status: "attended" };
      return { sessionKey, status: host.approvals.waitsForApprovers ? "waits" : "denied" };
    },
    async cancel(pluginId, id) {
      const approval = await host.store.decisions.approvals.get(id);
      if (approval?.id !== id || approval.pluginId !== pluginId || approval.tool !== undefined) {
        return false;
      }
      return (await host.approvals.cancelFor({ id }, `plugin:${pluginId}`)).length > 0;
    },
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
  { onStored, ...question }: ApprovalRequest,
  host: PluginApprovalsHost,
): Promise<PluginApprovalResolution> {
  const request = await requestOf(pluginId, question, host);
  return await new Promise((resolve, reject) => {
    host.approvals
      .request(request, resolve)
      .then((verdict) => {
        if (verdict.status === "denied") resolve("deny");
        else if (verdict.approval !== undefined) onStored?.(verdict.approval.id);
      })
      .catch(reject);
  });
}

async function requestOf(
  pluginId: string,
  { sessionKey, input, requester, ...question }: ApprovalSubmission,
  { store, presence }: PluginApprovalsHost,
): Promise<PluginApprovalRequest> {
  const session = await store.sessions.get(sessionKey);
  if (session === undefined) {
    const known = await store.sessions.list({ limit: NEARBY_SESSIONS });
    const keys = known.map((each) => each.sessionKey);
    throw new SessionNotFoundError(sessionKey, nearestName(sessionKey, keys));
  }
  const { agentId } = session;
  const isAttended = presence.isAttended(await sessionLineage(sessionKey, store), "plugin");
  return {
    ...question,
    ...{ pluginId, sessionKey, agentId, isAttended },
    ...defined({
      input: input && inputOf(pluginId, input),
      requester: requester && author(requester),
    }),
  };
}

function inputOf(pluginId: string, given: InputRequest): ApprovalInput {
  const read = ownInputRequest(given);
  if (typeof read === "string") {
    throw new PluginRegistrationError(pluginId, "approvals.submit", "input", read);
  }
  const { name, message, schema, url } = read;
  return { name, message, schema, ...defined({ url }) };
}

/** A person whom a plugin names is no owner by that. */
function author({
  channel,
  accountId = "default",
  senderId,
}: NonNullable<ApprovalSubmission["requester"]>) {
  return { channel, accountId, senderId };
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
