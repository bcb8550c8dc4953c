import type { Generated } from "kysely";

/** Tables of the nodes context. Times are milliseconds since the epoch, of the database's clock. */
export interface NodeSchema {
  nodes: NodeColumns;
  node_notices: NodeNoticeColumns;
  call_windows: CallWindowColumns;
  event_log: EventLogColumns;
  client_events: ClientEventColumns;
}

/** One row: the log of the events of clients. */
export interface EventLogColumns {
  name: string;
  /** Changes when the positions begin again. */
  epoch: string;
  /** Position of the newest event. */
  position: number;
}

/** Events that the clients of every node receive. */
export interface ClientEventColumns {
  position: number;
  event_key: string;
  name: string;
  scope: string;
  session_key: string | null;
  /** JSON, encrypted as the steps of turns are. */
  payload: string;
  created_at: number;
}

export interface CallWindowColumns {
  window_key: string;
  /** JSON: times of the calls that count, in milliseconds since the epoch. */
  times: string;
  expires_at: number;
}

/** Notices of topics to other nodes, which live for a minute. */
export interface NodeNoticeColumns {
  number: Generated<number>;
  /** Node that published it. */
  node_id: string;
  topic: string;
  notice: string;
  created_at: number;
}

export interface NodeColumns {
  node_id: string;
  name: string;
  version: string;
  state: string;
  /** JSON: what the node tells of itself. */
  facts: string;
  started_at: number;
  seen_at: number;
  expires_at: number;
}
