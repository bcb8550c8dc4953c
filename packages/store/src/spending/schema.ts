/**
 * Tables of the spending context. Times are milliseconds since the epoch; costs are picodollars. A row without
 * `settled_at` is a reservation, whose cost is the estimate.
 */
export interface SpendingSchema {
  model_calls: ModelCallColumns;
}

export interface ModelCallColumns {
  call_id: string;
  run_id: string | null;
  session_key: string | null;
  session_id: string | null;
  agent_id: string;
  job_id: string | null;
  provider: string;
  model: string;
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  reasoning: number;
  cost: number;
  is_estimated: number;
  created_at: number;
  expires_at: number | null;
  settled_at: number | null;
}
