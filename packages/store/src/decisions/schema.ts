import type { Generated } from "kysely";

/**
 * Tables of the decisions context. Times are milliseconds since the epoch; `snapshot`, `input`, `params`, `requester`,
 * `also_requested_by`, `allowed_decisions`, `input`, `answer` and `facts` are JSON.
 */
export interface DecisionSchema {
  tool_audit: ToolAuditColumns;
  policy_snapshots: PolicySnapshotColumns;
  policy_decisions: PolicyDecisionColumns;
  approvals: ApprovalColumns;
  approval_votes: ApprovalVoteColumns;
  approval_grants: ApprovalGrantColumns;
  audit: AuditColumns;
  audit_head: AuditHeadColumns;
}

export interface ToolAuditColumns {
  position: Generated<number>;
  run_id: string;
  session_key: string;
  tool_call_id: string;
  tool: string;
  decider: string;
  at: number;
}

export interface PolicySnapshotColumns {
  id: string;
  snapshot: string;
  created_at: number;
}

export interface PolicyDecisionColumns {
  position: Generated<number>;
  decision_id: string;
  policy_hash: string;
  snapshot_id: string;
  run_id: string;
  tool_call_id: string;
  session_key: string;
  agent_id: string;
  tool: string;
  input: string;
  /** 1 or 0. */
  allowed: number;
  decided_by: string;
  at: number;
}

export interface ApprovalColumns {
  id: string;
  code: string;
  kind: string;
  plugin_id: string | null;
  also_requested_by: string;
  run_id: string | null;
  tool_call_id: string | null;
  tool: string | null;
  params: string;
  commands: string | null;
  /** JSON; the words of `commands`. */
  argv: string | null;
  /** JSON; null when no rule requires the approval. */
  rule: string | null;
  /** Note of the person who denied it. */
  note: string | null;
  /** Unified diff. */
  change: string | null;
  digest: string;
  session_key: string;
  agent_id: string;
  requester: string;
  title: string;
  description: string;
  severity: string;
  allowed_decisions: string;
  timeout_behavior: string;
  grant_scope: string;
  grant_key: string;
  grant_covers: string | null;
  /** JSON; null when a grant would cover the exact command. */
  grant_prefixes: string | null;
  state: string;
  created_at: number;
  expires_at: number;
  decided_by: string | null;
  decided_via: string | null;
  decided_at: number | null;
  /** JSON; null when the request asks for a decision only. */
  input: string | null;
  /** JSON; null when one person decides. */
  quorum: string | null;
  /** JSON; null until a person gave the input. */
  answer: string | null;
  consumed_at: number | null;
  /** Time at which its plugin was notified of the decision. */
  told_at: number | null;
  tell_attempts: number;
}

export interface ApprovalVoteColumns {
  approval_id: string;
  person: string;
  voter: string;
  via: string;
  /** `allow` or `deny`. */
  decision: string;
  at: number;
}

export interface ApprovalGrantColumns {
  id: string;
  kind: string;
  tool: string;
  scope: string;
  key: string;
  label: string;
  session_key: string;
  agent_id: string;
  requester: string;
  created_by: string;
  created_at: number;
  last_used_at: number | null;
  uses: number;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface AuditColumns {
  seq: number;
  at: number;
  event: string;
  approval_id: string | null;
  run_id: string | null;
  session_key: string | null;
  facts: string;
  previous_hash: string;
  hash: string;
}

/** Head of the audit log's chain; one row. */
export interface AuditHeadColumns {
  id: number;
  seq: number;
  hash: string;
}
