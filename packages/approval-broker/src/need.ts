import type { Store } from "@openclaw/store";
import type { ApprovalGrant, AuditEvent, NewAuditEntry } from "@openclaw/store/decisions";
import { type AuditedFacts, auditedCall } from "./audit.js";
import { ELEVATED_KEY, type GrantKey } from "./grant-key.js";
import type { ApprovalRequest } from "./request.js";

/**
 * Whether a call that wants an answer may run without a question: a setting or trusted policy meets the need
 * of the tool, or somebody granted it earlier. What a rule of safety or the need `always` wants, nothing
 * meets; what a plugin wants, only a grant of its own (D25, APPR-020, APPR-046).
 * @param request - about the call
 * @param grant - its key
 * @param digest - of the call
 * @param approvedTools - `--approve-tool`
 * @param store - where grants lie
 * @returns what the audit is to say of it; undefined when a person must be asked
 */
export async function meetNeed(
  request: ApprovalRequest,
  grant: GrantKey,
  digest: string,
  approvedTools: ReadonlySet<string>,
  store: Store,
): Promise<NewAuditEntry | undefined> {
  const { need, wantedBy, toolName, satisfiedBy } = request;
  const audited = (event: AuditEvent, how: AuditedFacts): NewAuditEntry => ({
    ...auditedCall(request, digest),
    event,
    ...how,
  });
  if (need === "never") {
    return audited("unattended", { reason: `tools.approval.${toolName}: never` });
  }
  if (need === "always" || request.severity === "critical") return undefined;
  if (wantedBy !== "plugin") {
    if (approvedTools.has(toolName)) {
      return audited("unattended", { reason: `--approve-tool ${toolName}` });
    }
    if (satisfiedBy !== undefined && wantedBy === "tool") {
      const { policy, reason } = satisfiedBy;
      return audited("satisfied", { via: policy, reason });
    }
    const elevated = await useGrant(request, ELEVATED_KEY, store);
    if (elevated !== undefined) return audited("consumed", { grantId: elevated.id, via: "grant" });
  }
  if (request.allowedDecisions?.includes("allow-always") === false) return undefined;
  const granted = await useGrant(request, grant.key, store);
  if (granted === undefined) return undefined;
  return audited("consumed", { grantId: granted.id, via: "grant" });
}

async function useGrant(
  { sessionKey, agentId, requester }: ApprovalRequest,
  key: string,
  store: Store,
): Promise<ApprovalGrant | undefined> {
  return await store.approvalGrants.use({ key, sessionKey, agentId, requester });
}
