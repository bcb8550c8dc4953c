/** Tables of the calls context. Times are milliseconds since the epoch; `outcome` is JSON. */
export interface CallSchema {
  calls: CallColumns;
}

export interface CallColumns {
  caller_id: string;
  idempotency_key: string;
  method: string;
  digest: string;
  state: string;
  outcome: string | null;
  begun_at: number;
  settled_at: number | null;
  /** Node that executes it; null for a host that has its database alone. */
  node_id: string | null;
}
