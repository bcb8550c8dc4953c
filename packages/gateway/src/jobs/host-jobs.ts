import { lookup } from "node:dns/promises";
import { join } from "node:path";
import type { TurnDependencies } from "@openclaw/agent";
import { flagFromEnvironment, numberFromEnvironment, turnLimits } from "@openclaw/configuration";
import { defined, systemClock } from "@openclaw/foundation";
import {
  BubblewrapBackend,
  hostsOf,
  Jobs,
  jobSettings,
  readCreator,
  Workers,
  workerSettings,
} from "@openclaw/jobs";
import { type MessageRouter, type Messaging, sessionLineage } from "@openclaw/messaging";
import { NetworkPolicy } from "@openclaw/safety";
import { createModelCallRoute } from "@openclaw/server";
import type { Job } from "@openclaw/store";
import type { HostContext } from "../host/context.js";
import { createWorkerPort } from "./host-workers.js";

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
 * @param host - queues and conversations, the router that knows their workspaces, services of turns, and the program of
 * workers
 */
export function createHostJobs(
  context: HostContext,
  {
    messaging,
    router,
    services,
    program,
  }: {
    readonly messaging: Messaging;
    readonly router: MessageRouter;
    services(): TurnDependencies;
    readonly program: string | undefined;
  },
): { readonly jobs: Jobs; readonly workers: Workers } {
  const { configuration, environment, store, logger, events, now, state, tasks } = context;
  const { timers = systemClock } = context;
  const fromEnvironment = defined(
    Object.fromEntries(
      FROM_ENVIRONMENT.map((key) => [key, numberFromEnvironment(`jobs.${key}`, environment)]),
    ),
  );
  // The clock of a test goes with its timers.
  const clock = { timers, now, elapsed: timers === systemClock ? () => performance.now() : now };
  const folders = async (job: Job) => {
    const { sessionKey, agentId } = job;
    // It works where the session that asked for it does.
    const lineage = await sessionLineage(sessionKey, store);
    const place = { text: "", sessionKey: lineage.at(-1) ?? sessionKey, agentId };
    const { workspaceDir } = router.route({ ...readCreator(job), ...place });
    return { workspaceDir, stateDir: state.dir, stateWorkspaceDir: state.workspaceDir };
  };
  const extra = hostsOf(
    environment.OPENCLAW_SANDBOX_EXTRA_DOMAINS ?? environment.SANDBOX_EXTRA_DOMAINS,
  );
  if (extra.invalid.length > 0) {
    logger.warn(
      `SANDBOX_EXTRA_DOMAINS has what is not the name of a host: ${extra.invalid.join(", ")}; separate names by commas, with *. in front for all hosts below one`,
    );
  }
  const workers = new Workers({
    network: {
      policy: new NetworkPolicy(),
      resolveHost: (hostname) => lookup(hostname, { all: true }),
      hosts: extra.hosts,
    },
    ...{ store, events, logger, clock, folders, program, environment },
    messages: createModelCallRoute(now),
    stateDir: state.dir,
    host: createWorkerPort(services),
    backends: [new BubblewrapBackend(join(state.dir, "workers"))],
    settings() {
      const { sandbox, claudeCode } = configuration.value.jobs ?? {};
      return workerSettings(sandbox, claudeCode);
    },
    progressed: (jobId) => jobs.progressed(jobId),
  });
  const jobs = new Jobs({
    ...{ store, messaging, events, logger, tasks, clock, folders, workers },
    settings: () =>
      jobSettings({
        ...configuration.value.jobs,
        ...fromEnvironment,
        ...defined({ planning: flagFromEnvironment("jobs.planning", environment) }),
      }),
    maxIterations: () => turnLimits(configuration.value, environment).maxIterations,
  });
  return { jobs, workers };
}
