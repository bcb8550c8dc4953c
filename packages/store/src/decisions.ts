export type {
  Approval,
  ApprovalKind,
  ApprovalRequester,
  ApprovalSeverity,
  ApprovalState,
  GrantScope,
  NewApproval,
} from "./decisions/approval.js";
export type {
  ApprovalGrant,
  ApprovalGrants,
  GrantedCall,
  NewApprovalGrant,
} from "./decisions/approval-grants.js";
export type {
  ApprovalFilter,
  ApprovalOwner,
  ApprovalSettlement,
  Approvals,
  ApprovalUse,
} from "./decisions/approvals.js";
export type {
  Audit,
  AuditActor,
  AuditEntry,
  AuditEvent,
  AuditVerdict,
  NewAuditEntry,
} from "./decisions/audit-log.js";
export type {
  NewPolicyDecision,
  PolicyDecisionFilter,
  PolicyDecisionRow,
  PolicyDecisions,
  PolicySnapshotRow,
} from "./decisions/policy-decisions.js";
export type { RefusedCall, ToolAudit, ToolAuditRow } from "./decisions/tool-audit-log.js";
