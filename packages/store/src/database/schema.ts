import type { Generated } from "kysely";

/*
 * The columns as they lie in the database. Times are milliseconds since the epoch; `attachments`,
 * `metadata`, `step`, `payload`, `error`, `usage`, `message` and `value` are JSON. Each table's own file turns its
 * rows into what callers see.
 */

export interface MigrationColumns {
  name: string;
  checksum: string;
  applied_at: number;
}

export interface InboxColumns {
  position: Generated<number>;
  id: string;
  channel: string;
  account_id: string;
  conversation_id: string;
  thread_id: string | null;
  sender_id: string;
  user_name: string | null;
  external_message_id: string | null;
  idempotency_key: string | null;
  content: string;
  attachments: string;
  received_at: number;
  metadata: string;
  state: string;
  session_key: string | null;
  run_id: string | null;
  error: string | null;
  settled_at: number | null;
  /** When retention took its text away. */
  forgotten_at: number | null;
  /** Null once its outcome is known. */
  request: string | null;
}

export interface SessionColumns {
  session_key: string;
  session_id: string;
  agent_id: string;
  channel: string | null;
  label: string | null;
  model: string | null;
  created_at: number;
  updated_at: number;
}

export interface SessionIncarnationColumns {
  session_id: string;
  session_key: string;
  opened_at: number;
  message_count: number;
  last_seq: number;
  ended_at: number | null;
  end_reason: string | null;
}

export interface TurnColumns {
  run_id: string;
  inbox_id: string;
  session_key: string;
  session_id: string;
  agent_id: string;
  triggered_by: string;
  payload: string | null;
  state: string;
  attempts: number;
  queued_at: number;
  started_at: number | null;
  ended_at: number | null;
  stop_reason: string | null;
  error: string | null;
  usage: string | null;
}

export interface TranscriptColumns {
  session_id: string;
  seq: number;
  entry_id: string;
  run_id: string | null;
  message: string;
  created_at: number;
}

export interface OutboxColumns {
  position: Generated<number>;
  id: string;
  run_id: string;
  part: number;
  inbox_id: string | null;
  session_key: string;
  channel: string;
  recipient: string;
  account_id: string | null;
  thread_id: string | null;
  content: string;
  attachments: string;
  reply_to_id: string | null;
  state: string;
  attempts: number;
  message_id: string | null;
  reason: string | null;
  error: string | null;
  cancellation: string | null;
  created_at: number;
  settled_at: number | null;
  /** When retention took its text away. */
  forgotten_at: number | null;
}

export interface PluginValueColumns {
  plugin_id: string;
  key: string;
  value: string;
  updated_at: number;
}

export interface NextTurnInjectionColumns {
  position: Generated<number>;
  id: string;
  session_key: string;
  plugin_id: string;
  idempotency_key: string | null;
  text: string;
  placement: string;
  metadata: string | null;
  created_at: number;
  expires_at: number | null;
  /** The turn it is bound to; null while it waits. */
  run_id: string | null;
  consumed_at: number | null;
}

export interface SessionExtensionColumns {
  session_key: string;
  plugin_id: string;
  namespace: string;
  value: string;
  updated_at: number;
}

export interface JournalColumns {
  run_id: string;
  seq: number;
  kind: string;
  format: number;
  step: string;
  created_at: number;
}

export interface TokenTotalColumns {
  scope: string;
  id: string;
  tokens: number;
}

export interface CompactionColumns {
  session_id: string;
  up_to_seq: number;
  run_id: string | null;
  strategy: string;
  summary: string | null;
  annotation: string | null;
  compacted_count: number;
  created_at: number;
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

export interface TraceColumns {
  run_id: string;
  segment: number;
  trace_id: string;
  span_id: string;
  hooks: string;
  created_at: number;
}

export interface SubagentColumns {
  position: Generated<number>;
  run_id: string;
  session_key: string;
  parent_session_key: string;
  parent_run_id: string;
  depth: number;
  label: string | null;
  parent_tools: string;
  tools: string | null;
  requester: string;
  delivery_origin: string | null;
  created_at: number;
  deadline_at: number | null;
  stop_reason: string | null;
  result: string | null;
  outcome: string | null;
  error: string | null;
  settled_at: number | null;
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
  state: string;
  created_at: number;
  expires_at: number;
  decided_by: string | null;
  decided_via: string | null;
  decided_at: number | null;
  consumed_at: number | null;
  /** When its plugin was told of the answer. */
  told_at: number | null;
  tell_attempts: number;
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

/** Where the chain of the audit ends; one row. */
export interface AuditHeadColumns {
  id: number;
  seq: number;
  hash: string;
}

/** What the database says of itself. */
export interface DatabaseNoteColumns {
  name: string;
  note: string;
}

/** Every table of the database, and the one of the host in the databases of plugins. */
export interface Schema {
  migrations: MigrationColumns;
  openclaw_migrations: MigrationColumns;
  database_notes: DatabaseNoteColumns;
  inbox: InboxColumns;
  sessions: SessionColumns;
  session_incarnations: SessionIncarnationColumns;
  turns: TurnColumns;
  transcript: TranscriptColumns;
  outbox: OutboxColumns;
  plugin_values: PluginValueColumns;
  journal: JournalColumns;
  token_totals: TokenTotalColumns;
  next_turn_injections: NextTurnInjectionColumns;
  session_extensions: SessionExtensionColumns;
  tool_audit: ToolAuditColumns;
  policy_snapshots: PolicySnapshotColumns;
  policy_decisions: PolicyDecisionColumns;
  traces: TraceColumns;
  compactions: CompactionColumns;
  subagents: SubagentColumns;
  approvals: ApprovalColumns;
  approval_grants: ApprovalGrantColumns;
  audit: AuditColumns;
  audit_head: AuditHeadColumns;
}
