import { describe, expect, it } from "vitest";
import { SessionJobs } from "../../src/conversation/session-jobs.js";

const JOB = { jobId: "85c961bd-1", title: "count", state: "in_progress", awaitsApproval: false };

describe("the jobs of a conversation", () => {
  it("[JOB-394] are one line each until they are finished, with the plan as n of m", () => {
    const jobs = new SessionJobs();
    jobs.changed({ ...JOB, state: "pending" });
    expect(jobs.lines()).toEqual(['job 85c961bd "count" waits for a place']);
    const plan = { done: 2, total: 5, step: "read the files" };
    jobs.changed({ ...JOB, state: "in_progress", plan, progress: { done: 3, total: 9 } });
    expect(jobs.lines()).toEqual(['job 85c961bd "count" runs, 2 of 5: read the files (3 of 9)']);
    jobs.changed({ ...JOB, state: "in_progress", awaitsApproval: true });
    expect(jobs.lines()).toEqual(['job 85c961bd "count" waits for an approval']);
    jobs.changed({ ...JOB, state: "in_progress", question: "more?" });
    expect(jobs.lines()).toEqual(['job 85c961bd "count" waits for an answer']);
    jobs.changed({ ...JOB, jobId: "second", state: "stuck" });
    expect(jobs.lines()).toHaveLength(2);
    jobs.changed({ ...JOB, state: "completed" });
    expect(jobs.lines()).toEqual(['job second "count" is stuck']);
  });
});
