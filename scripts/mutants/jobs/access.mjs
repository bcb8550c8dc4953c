import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Jobs of plugins, which reach only their own ones. */
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
]);
