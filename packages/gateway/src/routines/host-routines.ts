import { logRejection } from "@openclaw/agent";
import { numberFromEnvironment } from "@openclaw/configuration";
import { defined, systemClock } from "@openclaw/foundation";
import type { Jobs } from "@openclaw/jobs";
import type { MessageRouter, Messaging } from "@openclaw/messaging";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import { Routines, routineSettings } from "@openclaw/routines";

import type { HostContext } from "../host/context.js";
import type { HostHookContext } from "../host/plugin-layer.js";

const FROM_ENVIRONMENT = ["checkSeconds", "cooldownSeconds", "maxConcurrent"] as const;

/** Parts of a host that its routines use. */
export interface HostRoutinesParts {
  readonly messaging: Messaging;
  readonly jobs: Jobs;
  readonly router: Pick<MessageRouter, "agentIds">;
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly hookContext: HostHookContext;
}

/**
 * Creates the routines of a host.
 * @param context - configuration, store, log and clock
 * @param parts - queues, conversations, jobs, agents and plugins
 */
export function createHostRoutines(
  { configuration, environment, store, logger, events, now, timers = systemClock }: HostContext,
  { messaging, jobs, router, plugins, hookContext }: HostRoutinesParts,
): Routines {
  const fromEnvironment = defined(
    Object.fromEntries(
      FROM_ENVIRONMENT.map((key) => [key, numberFromEnvironment(`routines.${key}`, environment)]),
    ),
  );
  return new Routines({
    ...{ store, messaging, jobs, events, logger, posts: messaging.posts },
    clock: { timers, now },
    settings: () => routineSettings({ ...configuration.value.routines, ...fromEnvironment }),
    agentIds: () => router.agentIds,
    observe(event) {
      // The changed routine is stored already, whatever a plugin does with it.
      logRejection(plugins.hooks.observe("cron_changed", event, hookContext), logger);
    },
  });
}
