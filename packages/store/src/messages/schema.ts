import type { Generated } from "kysely";

/**
 * Tables of the messages context. Times are milliseconds since the epoch; `attachments`, `metadata`, `request`, `message`,
 * `cancellation`, `error`, `outcome` and `response` are JSON.
 */
export interface MessageSchema {
  inbox: InboxColumns;
  transcript: TranscriptColumns;
  compactions: CompactionColumns;
  outbox: OutboxColumns;
  message_outcomes: MessageOutcomeColumns;
  responses: ResponseColumns;
  lost_messages: LostMessageColumns;
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
  /** Time at which retention erased its text. */
  forgotten_at: number | null;
  /** Null once its outcome is known. */
  request: string | null;
  /** Node that answers for it until its outcome is known; null for a host that has the database alone. */
  node_id: string | null;
}

export interface LostMessageColumns {
  id: string;
  channel: string;
  account_id: string;
  plugin_id: string;
  part: string;
  message: string;
  lost_at: number;
  replayed_at: number | null;
}

export interface TranscriptColumns {
  session_id: string;
  seq: number;
  entry_id: string;
  run_id: string | null;
  message: string;
  created_at: number;
  /** Number of the change of the conversation that took the entry back; null while it is visible. */
  hidden_by: number | null;
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
  /** Last visible entry at the time of the compaction, which is undone with it; null for an older row. */
  at_seq: number | null;
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
  /** Time at which retention erased its text. */
  forgotten_at: number | null;
  /** Node that delivers it; null for a host that has the database alone. */
  node_id: string | null;
}

export interface MessageOutcomeColumns {
  inbox_id: string;
  session_key: string | null;
  outcome: string;
  created_at: number;
}

export interface ResponseColumns {
  response_id: string;
  previous_id: string | null;
  inbox_id: string;
  session_key: string;
  sender: string;
  request: string;
  /** Null until the response is complete. */
  response: string | null;
  created_at: number;
}
