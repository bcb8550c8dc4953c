/** Tables of the jobs context. Times are milliseconds since the epoch; costs are millionths of a US dollar. */
export interface JobSchema {
  jobs: JobColumns;
  job_moves: JobMoveColumns;
  job_runs: JobRunColumns;
  leases: LeaseColumns;
}

export interface JobColumns {
  job_id: string;
  title: string;
  description: string;
  agent_id: string;
  /** Session in which its turns run. */
  session_key: string;
  state: string;
  priority: number;
  parent_id: string | null;
  depth: number;
  /** JSON: the conversation and the sender for whom it works. */
  creator: string;
  /** Sender who may see and change it. */
  owner: string;
  /** Session that gets its result; null for none. */
  asked_in: string | null;
  model: string | null;
  /** Execution model; null for turns in the process of the host. */
  mode: string | null;
  /** JSON: where its last worker ran, and what it was denied. */
  worker: string | null;
  max_tokens: number;
  used_tokens: number;
  max_cost: number;
  used_cost: number;
  max_iterations: number;
  timeout_ms: number;
  repair_attempts: number;
  /** Number of its last move. */
  last_move: number;
  /** Turn that works on it now, or worked on it last. */
  run_id: string | null;
  awaits_approval: number;
  /** Time that its current run worked before its last wait. */
  spent_ms: number;
  /** JSON: the steps of its plan. */
  plan: string | null;
  /** JSON: progress that a tool reported last. */
  progress: string | null;
  /** JSON: further prompts that it has not read yet. */
  prompts: string | null;
  /** JSON: budget request whose answer it waits for. */
  budget_request: string | null;
  result: string | null;
  /** JSON: code and message. */
  failure: string | null;
  /** JSON: delivery of its result. */
  delivery: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

export interface JobMoveColumns {
  job_id: string;
  number: number;
  from_state: string;
  to_state: string;
  reason: string | null;
  at: number;
}

export interface JobRunColumns {
  run_id: string;
  job_id: string;
  /** Fencing number of the lease under which it runs. */
  token: number;
  started_at: number;
  ended_at: number | null;
  /** Reply of its turn. */
  answer: string | null;
  outcome: string | null;
  reason: string | null;
  /** JSON: delivery of its result. */
  delivery: string | null;
}

export interface LeaseColumns {
  lease_key: string;
  owner: string;
  token: number;
  expires_at: number;
}
