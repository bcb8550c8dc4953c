import type { JobBounds } from "@openclaw/agent";
import type { Store } from "@openclaw/store";
import { isJobKey } from "./key.js";

const MICRO = 1_000_000;

/**
 * Returns the limits of the turns of a job.
 * @param store - storage of jobs
 * @returns undefined for a session that is not a job's
 */
export async function jobBounds(
  sessionKey: string,
  { jobs }: Pick<Store, "jobs">,
): Promise<JobBounds | undefined> {
  if (!isJobKey(sessionKey)) return undefined;
  const job = await jobs.ofSession(sessionKey);
  if (job === undefined) return undefined;
  const { jobId, title, mode, maxTokens, maxCost, maxIterations } = job;
  const budget = { maxTokens, maxCostUsd: maxCost / MICRO };
  return { jobId, title, mode, budget, maxIterations };
}
