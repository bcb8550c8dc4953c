import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Jobs of plugins, which reach only their own ones, and budgets that jobs share. */
export const JOB_ACCESS = mutantsOf("packages/jobs", [
  {
    source: "plugin-jobs.ts",
    noticedBy: ["packages/plugin-testkit/test/host/plugin-jobs.test.ts"],
    mutants: [
      [
        "plugin-reaches-jobs-of-others",
        "JOB-980",
        "return job.jobId === jobId && readCreator(job).pluginId === pluginId ? job : undefined;",
        "return job;",
      ],
    ],
  },
  {
    source: "creation.ts",
    noticedBy: ["packages/gateway/test/jobs/bounds.test.ts"],
    mutants: [
      [
        "job-has-more-than-the-one-that-asks",
        "JOB-982",
        "return limit === 0 ? left : Math.min(limit, left);",
        "return limit;",
      ],
    ],
  },
]);
