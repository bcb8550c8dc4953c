import type { Job } from "@openclaw/store";

/** Returns a job that runs in a sandbox. */
export function testJob(jobId: string): Job {
  return {
    ...{ jobId, title: "work", description: "do it", agentId: "main", owner: "owner" },
    ...{ sessionKey: `agent:main:job:${jobId}`, state: "in_progress", mode: "sandboxed" },
    ...{ priority: 0, depth: 0, creator: {}, createdAt: 0, awaitsApproval: false, spentMs: 0 },
    ...{ maxTokens: 0, maxCost: 0, maxIterations: 50, timeoutMs: 1000 },
    ...{ usedTokens: 0, usedCost: 0, repairAttempts: 0 },
  };
}
