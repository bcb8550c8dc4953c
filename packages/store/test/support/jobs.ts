import type { Job, JobState, NewJob, Store } from "../../src/index.js";

/** Adds a job whose ID is its name. */
export function addJob(store: Store, name: string, changes: Partial<NewJob> = {}): Promise<Job> {
  return store.jobs.add({
    jobId: name,
    title: "Count",
    description: "Count the files.",
    agentId: "main",
    sessionKey: `agent:main:job:${name}`,
    priority: 0,
    depth: 0,
    creator: { channel: "terminal" },
    owner: "owner",
    maxTokens: 0,
    maxCost: 0,
    maxIterations: 50,
    timeoutMs: 3_600_000,
    ...changes,
  });
}

const WAYS: { readonly [State in JobState]: readonly JobState[] } = {
  pending: [],
  in_progress: ["in_progress"],
  completed: ["in_progress", "completed"],
  submitted: ["in_progress", "completed", "submitted"],
  accepted: ["in_progress", "completed", "submitted", "accepted"],
  failed: ["in_progress", "failed"],
  stuck: ["in_progress", "stuck"],
  cancelled: ["cancelled"],
};

/** Moves a new job to a state by legal moves. */
export async function walkTo(store: Store, jobId: string, state: JobState): Promise<void> {
  for (const next of WAYS[state]) await store.jobs.move(jobId, next);
}
