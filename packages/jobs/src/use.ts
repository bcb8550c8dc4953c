import type { Store } from "@openclaw/store";
import type { JobBudgetExceededError } from "@openclaw/store/errors";

/**
 * Counts what a job used for its budget, and for those of the jobs above it, whose limits it shares (JOB-982).
 * @param unit - the transaction
 * @param jobId - the job
 * @param used - tokens, and millionths of a US dollar
 * @returns the error of the budget of the job that is used up; the use is recorded all the same
 */
export async function useWithAncestors(
  unit: Store,
  jobId: string,
  used: { readonly tokens: number; readonly cost: number },
): Promise<JobBudgetExceededError | undefined> {
  const exceeded = await unit.jobs.use(jobId, used);
  let above = (await unit.jobs.get(jobId))?.parentId;
  while (above !== undefined) {
    await unit.jobs.use(above, used);
    above = (await unit.jobs.get(above))?.parentId;
  }
  return exceeded;
}
