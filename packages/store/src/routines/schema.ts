/** Tables of the routines context. Times are milliseconds since the epoch. */
export interface RoutineSchema {
  routines: RoutineColumns;
  routine_runs: RoutineRunColumns;
}

export interface RoutineColumns {
  routine_id: string;
  name: string;
  agent_id: string;
  /** Session in which its turns run. */
  session_key: string;
  /** Sender who may see and change it. */
  owner: string;
  /** JSON: the conversation and the sender for whom it works. */
  creator: string;
  /** Session that gets its results; null for none. */
  asked_in: string | null;
  /** JSON: schedule, action, delivery and limits. */
  definition: string;
  /** Time since which its schedule holds; due times are after it. */
  scheduled_from: number;
  enabled: number;
  disabled_reason: string | null;
  created_at: number;
  updated_at: number;
}

export interface RoutineRunColumns {
  routine_id: string;
  /** The due time; that of the request for a run that a person asked for. */
  planned_at: number;
  origin: string;
  state: string;
  reason: string | null;
  started_at: number | null;
  ended_at: number | null;
  /** Turn that works on it. */
  run_id: string | null;
  /** Job that works on it. */
  job_id: string | null;
  answer: string | null;
  /** JSON: delivery of its result. */
  delivery: string | null;
  created_at: number;
  /** JSON: text that set it off, and where that came from. */
  input: string | null;
  /** Key by which a repeat of the trigger is recognised; unique in its routine. */
  identity: string | null;
  /** Proof of the request that set it off, which is accepted once; unique in its routine. */
  proof: string | null;
}
