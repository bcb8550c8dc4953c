import { errorMessage } from "@openclaw/foundation";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { HostJobPort } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../instances/instance.js";
import { type ApiCall, expectFunction, expectObject, expectText } from "../registration/check.js";
import { lackOf } from "./missing-capability.js";

type Host = NonNullable<HostJobPort["jobs"]>;

/**
 * Creates `api.jobs`. Observers end with the plugin; its jobs do not.
 * @param host - jobs of the host; without them the methods throw
 */
export function createJobAccess(
  instance: PluginInstance,
  { jobs }: HostJobPort,
): OpenClawPluginApi["jobs"] {
  const { id, origin, logger } = instance;
  const begin = (member: string): { readonly host: Host; readonly call: ApiCall } => {
    instance.assertAlive(member);
    if (jobs === undefined) throw lackOf(id, member);
    return { host: jobs, call: { origin, member } };
  };
  return {
    async create(request) {
      const { host, call } = begin("jobs.create");
      expectObject(call, "request", request);
      expectText(call, "title", request.title);
      return await host.create(id, request);
    },
    async get(jobId) {
      const { host, call } = begin("jobs.get");
      return await host.get(id, expectText(call, "jobId", jobId));
    },
    async observe(jobId, observer) {
      const { host, call } = begin("jobs.observe");
      expectFunction(call, "observer", observer);
      const stop = await host.observe(id, expectText(call, "jobId", jobId), (job) => {
        if (instance.signal.aborted) return;
        const observing = async () => await observer(job);
        observing().catch((error: unknown) =>
          logger.error(`an observer of job ${jobId} failed: ${errorMessage(error)}`),
        );
      });
      instance.onDispose(stop);
      return stop;
    },
    async cancel(jobId) {
      const { host, call } = begin("jobs.cancel");
      return await host.cancel(id, expectText(call, "jobId", jobId));
    },
  };
}
