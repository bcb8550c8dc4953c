import { flagFromEnvironment, numberFromEnvironment, turnLimits } from "@openclaw/configuration";
import { defined, systemClock } from "@openclaw/foundation";
import { Jobs, jobSettings } from "@openclaw/jobs";
import type { Messaging } from "@openclaw/messaging";
import type { HostContext } from "../host/context.js";

const FROM_ENVIRONMENT = [
  "maxParallel",
  "timeoutSeconds",
  "stuckSeconds",
  "checkSeconds",
  "maxRepairs",
] as const;

/**
 * Creates the jobs of a host.
 * @param context - configuration, store, log and clock
 * @param messaging - queues and conversations
 */
export function createHostJobs(
  { configuration, environment, store, logger, events, now, timers = systemClock }: HostContext,
  messaging: Messaging,
): Jobs {
  const fromEnvironment = defined(
    Object.fromEntries(
      FROM_ENVIRONMENT.map((key) => [key, numberFromEnvironment(`jobs.${key}`, environment)]),
    ),
  );
  return new Jobs({
    ...{ store, messaging, events, logger },
    clock: { timers, now },
    settings: () =>
      jobSettings({
        ...configuration.value.jobs,
        ...fromEnvironment,
        ...defined({ planning: flagFromEnvironment("jobs.planning", environment) }),
      }),
    maxIterations: () => turnLimits(configuration.value, environment).maxIterations,
  });
}
