/** States of a job, in the order of its life (JOB-001). */
export const JOB_STATES = [
  "pending",
  "in_progress",
  "completed",
  "submitted",
  "accepted",
  "failed",
  "stuck",
  "cancelled",
] as const;

/** State of a job. */
export type JobState = (typeof JOB_STATES)[number];

/** The legal moves; every other one is illegal, also from a state to itself (JOB-002). */
const MOVES: { readonly [From in JobState]: readonly JobState[] } = {
  pending: ["in_progress", "cancelled"],
  in_progress: ["completed", "failed", "stuck", "cancelled"],
  completed: ["submitted", "failed"],
  submitted: ["accepted", "failed"],
  stuck: ["in_progress", "failed", "cancelled"],
  accepted: [],
  failed: [],
  cancelled: [],
};

/**
 * Returns true if a job may move from one state to another.
 * @param to - its next state
 */
export function isLegalMove(from: JobState, to: JobState): boolean {
  return MOVES[from].includes(to);
}

/** Returns true for a state that no move leaves; every other state is active. */
export function isTerminalJobState(state: JobState): boolean {
  return MOVES[state].length === 0;
}
