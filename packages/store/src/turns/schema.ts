/**
 * Tables of the turns context. Times are milliseconds since the epoch; `payload`, `error`, `usage`, `step` and
 * `hooks` are JSON.
 */
export interface TurnSchema {
  turns: TurnColumns;
  journal: JournalColumns;
  traces: TraceColumns;
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

export interface JournalColumns {
  run_id: string;
  seq: number;
  kind: string;
  format: number;
  step: string;
  created_at: number;
  /** Node that wrote it, and the fence of its lease; null for a host that has its database alone. */
  node_id: string | null;
  fence: number | null;
}

export interface TraceColumns {
  run_id: string;
  segment: number;
  trace_id: string;
  span_id: string;
  hooks: string;
  created_at: number;
}
