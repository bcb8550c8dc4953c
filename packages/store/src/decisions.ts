export type {
  Approval,
  ApprovalInput,
  ApprovalKind,
  ApprovalRequester,
  ApprovalSeverity,
  ApprovalState,
  GrantPrefix,
  GrantScope,
  NewApproval,
} from "./decisions/approval.js";
export type {
  ApprovalGrant,
  NewApprovalGrant,
} from "./decisions/approval-grants.js";
export type { AskingRule, CommandWord } from "./decisions/approval-reason.js";
export type {
  ApprovalOwner,
  ApprovalSettlement,
} from "./decisions/approvals.js";
export type {
  AuditActor,
  AuditEntry,
  AuditEvent,
  NewAuditEntry,
} from "./decisions/audit-log.js";
export type {
  NewPolicyDecision,
  PolicyDecisionRow,
} from "./decisions/policy-decisions.js";
export type { ToolAuditRow } from "./decisions/tool-audit-log.js";
export type {
  ApprovalQuorum,
  ApprovalVote,
} from "./decisions/votes.js";
