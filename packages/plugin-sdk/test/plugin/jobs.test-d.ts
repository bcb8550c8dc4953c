import { describe, expectTypeOf, it } from "vitest";
import type { OpenClawPluginApi } from "../../src/index.js";
import type { Unregister } from "../../src/plugin-entry.js";
import type { PluginJob } from "../../src/services.js";
import type { JobProgress, ToolFactoryContext } from "../../src/tools.js";

declare const api: OpenClawPluginApi;
declare const context: ToolFactoryContext;

describe("api.jobs", () => {
  it("[JOB-980] has typed requests, jobs and observers", async () => {
    expectTypeOf(api.jobs.create({ title: "Count" })).toEqualTypeOf<Promise<PluginJob>>();
    // @ts-expect-error a job needs a title
    api.jobs.create({ description: "Count the files." });
    // @ts-expect-error a limit is a number
    api.jobs.create({ title: "Count", maxUsd: "1" });
    const stop = await api.jobs.observe("id", (job) => {
      expectTypeOf(job).toEqualTypeOf<PluginJob>();
      expectTypeOf(job.progress).toEqualTypeOf<JobProgress | undefined>();
    });
    expectTypeOf(stop).toEqualTypeOf<Unregister>();
    expectTypeOf(api.jobs.get("id")).toEqualTypeOf<Promise<PluginJob | undefined>>();
    expectTypeOf(api.jobs.cancel("id")).toEqualTypeOf<Promise<PluginJob>>();
  });

  it("[JOB-981] gives a tool its job, if the turn has one", () => {
    context.job?.progress({ done: 1, total: 3, note: "the first" });
    // @ts-expect-error a tool of an ordinary turn has no job
    context.job.progress({ done: 1 });
    // @ts-expect-error the amount that is done is required
    context.job?.progress({ total: 3 });
  });
});
