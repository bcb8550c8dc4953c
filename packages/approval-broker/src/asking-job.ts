import type { Job, Store } from "@openclaw/store";

/**
 * Returns the job that a session works on: the job of the session, or of a session that started it as a subagent.
 * @param sessionKey - key of the session
 * @param store - storage of jobs and subagents
 */
export async function askingJob(
  sessionKey: string,
  { jobs, sessions: { subagents } }: Pick<Store, "jobs" | "sessions">,
): Promise<Pick<Job, "jobId" | "title"> | undefined> {
  const seen = new Set<string>();
  for (let key: string | undefined = sessionKey; key !== undefined && !seen.has(key); ) {
    seen.add(key);
    const job = await jobs.ofSession(key);
    if (job !== undefined) return { jobId: job.jobId, title: job.title };
    key = (await subagents.ofSession(key))?.parentSessionKey;
  }
  return undefined;
}
