export type {
  Approval,
  ApprovalKind,
  ApprovalRequester,
  ApprovalSeverity,
  ApprovalState,
  GrantScope,
  NewApproval,
} from "./approval.js";
export type {
  ApprovalGrant,
  ApprovalGrants,
  GrantedCall,
  NewApprovalGrant,
} from "./approval-grants.js";
export type {
  ApprovalFilter,
  ApprovalOwner,
  ApprovalSettlement,
  Approvals,
  ApprovalUse,
} from "./approvals.js";
export type {
  Audit,
  AuditActor,
  AuditEntry,
  AuditEvent,
  AuditVerdict,
  NewAuditEntry,
} from "./audit.js";
export type {
  NewPolicyDecision,
  PolicyDecisionFilter,
  PolicyDecisionRow,
  PolicyDecisions,
  PolicySnapshotRow,
} from "./policy-decisions.js";
export type { RefusedCall, ToolAudit, ToolAuditRow } from "./tool-audit.js";
