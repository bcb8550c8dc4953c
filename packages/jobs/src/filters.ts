import { JOB_STATES, type JobState } from "@openclaw/store";

/** Words that select jobs, with the states that they select. */
export const JOB_FILTERS = {
  active: ["pending", "in_progress", "stuck"],
  done: ["completed", "submitted", "accepted"],
  failed: ["failed", "cancelled"],
} as const satisfies Readonly<Record<string, readonly JobState[]>>;

/**
 * Returns the states that a word selects: that of a filter, of a state, or of `running` and `all`.
 * @param word - the word, in any case
 * @returns undefined for an unknown word
 */
export function statesOf(word: string): readonly JobState[] | undefined {
  const wanted = word.toLowerCase();
  if (wanted === "all") return JOB_STATES;
  if (wanted === "running") return ["in_progress"];
  const filter = Object.entries(JOB_FILTERS).find(([name]) => name === wanted);
  if (filter !== undefined) return filter[1];
  const state = JOB_STATES.find((known) => known === wanted);
  return state && [state];
}
