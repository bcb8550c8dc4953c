import type { Generated } from "kysely";

/**
 * Tables of the sessions context. Times are milliseconds since the epoch; `metadata`, `value`, `parent_tools`,
 * `tools`, `requester` and `delivery_origin` are JSON.
 */
export interface SessionSchema {
  sessions: SessionColumns;
  session_incarnations: SessionIncarnationColumns;
  token_totals: TokenTotalColumns;
  next_turn_injections: NextTurnInjectionColumns;
  session_extensions: SessionExtensionColumns;
  subagents: SubagentColumns;
}

export interface SessionColumns {
  session_key: string;
  session_id: string;
  agent_id: string;
  channel: string | null;
  label: string | null;
  model: string | null;
  queue_mode: Generated<string | null>;
  /** 1 to show details of each turn. */
  shows_details: Generated<number>;
  pinned_at: Generated<number | null>;
  archived_at: Generated<number | null>;
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
  /** Turns up to this entry cannot be undone. */
  undo_floor: Generated<number>;
  /** Undos up to this number cannot be brought back. */
  redo_floor: Generated<number>;
  /** Incarnation whose conversation it continues. */
  continues: Generated<string | null>;
}

export interface TokenTotalColumns {
  scope: string;
  id: string;
  tokens: number;
  /** Picodollars. */
  cost: number;
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
  /** Turn that it is bound to; null while it is pending. */
  run_id: string | null;
  consumed_at: number | null;
}

export interface SessionExtensionColumns {
  session_key: string;
  plugin_id: string;
  namespace: string;
  value: string;
  version: Generated<number>;
  updated_at: number;
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
