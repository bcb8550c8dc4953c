import { logRejection } from "@openclaw/agent";
import {
  flagFromEnvironment,
  numberFromEnvironment,
  textFromEnvironment,
} from "@openclaw/configuration";
import { defined, systemClock } from "@openclaw/foundation";
import type { Jobs } from "@openclaw/jobs";
import type { MessageRouter, Messaging } from "@openclaw/messaging";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import { heartbeatSettings, Routines, routineSettings } from "@openclaw/routines";
import type { HostContext } from "../host/context.js";
import type { HostHookContext } from "../host/plugin-layer.js";
import type { SessionTools } from "../host/tools/session.js";
import { loadButtonKey } from "../state/token.js";
import { agentWorkspace } from "../workspaces/agent-workspace.js";
import { readContextFile } from "./context-file.js";
import { readHeartbeatFile } from "./heartbeat-file.js";
import { moveNotes } from "./notes-folder.js";
import { createRoutineToolCalls } from "./tool-calls.js";

const FROM_ENVIRONMENT = ["checkSeconds", "cooldownSeconds", "maxConcurrent"] as const;

/** Parts of a host that its routines use. */
export interface HostRoutinesParts {
  readonly messaging: Messaging;
  readonly jobs: Jobs;
  readonly router: Pick<MessageRouter, "agentIds" | "defaultAgent">;
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly hookContext: HostHookContext;
  readonly sessionTools: Pick<SessionTools, "invoke" | "request">;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
}

/**
 * Creates the routines of a host.
 * @param context - configuration, store, log and clock
 * @param parts - queues, conversations, jobs, agents and plugins
 */
export function createHostRoutines(
  context: HostContext,
  { messaging, jobs, router, plugins, hookContext, sessionTools, signal }: HostRoutinesParts,
): Routines {
  const { configuration, environment, store, logger, events, now, tasks } = context;
  const { timers = systemClock } = context;
  const fromEnvironment = defined(
    Object.fromEntries(
      FROM_ENVIRONMENT.map((key) => [key, numberFromEnvironment(`routines.${key}`, environment)]),
    ),
  );
  const settings = () => routineSettings({ ...configuration.value.routines, ...fromEnvironment });
  const ofHeartbeat = defined({
    enabled: flagFromEnvironment("heartbeat.enabled", environment),
    intervalSeconds: numberFromEnvironment("heartbeat.intervalSeconds", environment),
    channel: textFromEnvironment("heartbeat.channel", environment),
    to: textFromEnvironment("heartbeat.to", environment),
  });
  const workspaceOf = (agentId: string) =>
    agentWorkspace(configuration, context.workspaceDir, agentId) ?? context.workspaceDir;
  return new Routines({
    ...{ store, messaging, jobs, events, logger, tasks, posts: messaging.posts },
    clock: { timers, now },
    settings,
    triggers: {
      key: () => loadButtonKey(context.state.dir),
      workspaceOf,
    },
    heartbeat: {
      pluginMessages: messaging.pluginMessages,
      settings: () =>
        heartbeatSettings(
          { ...configuration.value.heartbeat, ...ofHeartbeat },
          { agentId: router.defaultAgent, timezone: settings().timezone },
        ),
      readFile: (agentId) => readHeartbeatFile(agentId, context),
    },
    readContextFile: (agentId, path, most) => readContextFile(workspaceOf(agentId), path, most),
    moveFolder: (agentId, from, to) => moveNotes(workspaceOf(agentId), from, to),
    agentIds: () => router.agentIds,
    callTool: createRoutineToolCalls(sessionTools, store, signal),
    observe(event) {
      // The changed routine is stored already, whatever a plugin does with it.
      logRejection(plugins.hooks.observe("cron_changed", event, hookContext), logger);
    },
  });
}
