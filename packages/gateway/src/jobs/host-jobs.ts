import { flagFromEnvironment, numberFromEnvironment, turnLimits } from "@openclaw/configuration";
import { defined, systemClock } from "@openclaw/foundation";
import { Jobs, jobSettings, readCreator } from "@openclaw/jobs";
import { type MessageRouter, type Messaging, sessionLineage } from "@openclaw/messaging";
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
 * @param context - configuration, folders, store, log and clock
 * @param conversations - queues and conversations, and the router that knows their workspaces
 */
export function createHostJobs(
  context: HostContext,
  { messaging, router }: { readonly messaging: Messaging; readonly router: MessageRouter },
): Jobs {
  const { configuration, environment, store, logger, events, now, state, tasks } = context;
  const { timers = systemClock } = context;
  const fromEnvironment = defined(
    Object.fromEntries(
      FROM_ENVIRONMENT.map((key) => [key, numberFromEnvironment(`jobs.${key}`, environment)]),
    ),
  );
  return new Jobs({
    ...{ store, messaging, events, logger, tasks },
    // The clock of a test goes with its timers.
    clock: { timers, now, elapsed: timers === systemClock ? () => performance.now() : now },
    async folders(job) {
      const { sessionKey, agentId } = job;
      // It works where the session that asked for it does.
      const lineage = await sessionLineage(sessionKey, store);
      const place = { text: "", sessionKey: lineage.at(-1) ?? sessionKey, agentId };
      const { workspaceDir } = router.route({ ...readCreator(job), ...place });
      return { workspaceDir, stateDir: state.dir, stateWorkspaceDir: state.workspaceDir };
    },
    settings: () =>
      jobSettings({
        ...configuration.value.jobs,
        ...fromEnvironment,
        ...defined({ planning: flagFromEnvironment("jobs.planning", environment) }),
      }),
    maxIterations: () => turnLimits(configuration.value, environment).maxIterations,
  });
}
