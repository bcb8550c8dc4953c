import { createJobMethods } from "@openclaw/jobs";
import {
  type Caller,
  createApprovalMethods,
  createChatMethods,
  createCommandMethods,
  createSessionMethods,
  createSubscriptionMethods,
  type InboundMessage,
  type ReplyOutcome,
} from "@openclaw/messaging";
import { Marketplaces } from "@openclaw/plugin-install";
import type { EventPublisher, GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import { createHeartbeatMethods, createRoutineMethods } from "@openclaw/routines";
import { NetworkClient } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type { DeviceAdministrationDependencies } from "../devices/administration.js";
import {
  createRunReplayMethods,
  type RunReplayMethodDependencies,
} from "../diagnostics/replay-methods.js";
import type { Host } from "../host/running-host.js";
import { createNodeMethods } from "../nodes/methods.js";
import { createOfferMethods } from "../offers/methods.js";
import { createMarketplaceMethods } from "../plugins/marketplace-methods.js";
import { createPushMethods, type PushMethodDependencies } from "../push/methods.js";
import { createQueueMethods } from "../queues/methods.js";
import { createSkillInstallMethods } from "../skills/methods.js";
import type { Log } from "../state/log.js";
import { type BackupMethodDependencies, createBackupMethods } from "../upkeep/backup-methods.js";
import { createTaskMethods } from "../upkeep/task-methods.js";
import { type AuthMethodDependencies, createAuthMethods } from "./auth.js";
import { createChannelMethods } from "./channels.js";
import {
  type ConfigurationMethodDependencies,
  createConfigurationMethods,
} from "./configuration.js";
import { createConfiguredHookMethods } from "./configured-hooks.js";
import { createDeviceMethods } from "./devices.js";
import { createDoctorMethods, type DoctorMethodDependencies } from "./doctor.js";
import { createHookMethods } from "./hooks.js";
import { createHostMethods, type GatewayFacts } from "./host.js";
import { createLoginMethods } from "./logins.js";
import { createLogMethods } from "./logs.js";
import { createMemoryMethods } from "./memory.js";
import { createModelMethods } from "./models.js";
import { createPluginMethods, type PluginMethodDependencies } from "./plugins.js";
import { createPolicyMethods } from "./policy.js";
import { createRunMethods } from "./runs.js";
import { createSecretMethods, type SecretMethodDependencies } from "./secrets.js";
import { createSettingMethods, type SettingMethodDependencies } from "./settings.js";
import { createSkillMethods } from "./skills.js";
import { componentTools } from "./tool-catalog.js";
import { createToolMethods } from "./tools.js";
import { createUsageMethods } from "./usage.js";

/** Dependencies of {@link createConversationMethods}. */
export interface ConversationMethodDependencies {
  readonly host: Host;
  /**
   * Processes a message once the host has started, and resolves with its outcome.
   * @param message - message of a client
   * @param caller - receiver of its ID
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  readonly store: Store;
  /** Sends events to the connected clients. */
  readonly events: EventPublisher;
}

/** Dependencies of {@link createGatewayMethods}; each family takes only what it uses. */
export interface MethodDependencies
  extends ConversationMethodDependencies,
    AuthMethodDependencies,
    Pick<BackupMethodDependencies, "storeConfiguration" | "restart">,
    Pick<DoctorMethodDependencies, "doctor">,
    Pick<DeviceAdministrationDependencies, "connections">,
    Omit<PluginMethodDependencies, "plugins" | "now" | "marketplaces" | "network">,
    PushMethodDependencies,
    Pick<RunReplayMethodDependencies, "replayOptions">,
    SecretMethodDependencies,
    Pick<SettingMethodDependencies, "changeSettings"> {
  /** Path of `openclaw.json`; created when it is missing. */
  readonly configurationFile: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Changes the configuration files, and applies the differences. */
  readonly changeFiles: ConfigurationMethodDependencies["change"];
  readonly outcomeOf: ConfigurationMethodDependencies["outcomeOf"];
  readonly readFiles: ConfigurationMethodDependencies["readFiles"];
  readonly previewFiles: ConfigurationMethodDependencies["previewFiles"];
  readonly writeFile: ConfigurationMethodDependencies["writeFile"];
  readonly facts: GatewayFacts;
  /** Returns `tools.http.allowHosts` of the current configuration. */
  allowHosts(): readonly string[] | undefined;
  readonly log: Pick<Log, "onLine" | "unwritten">;
}

/**
 * Creates the methods that need a host and its store only: conversations, approvals, policy, hooks and tools.
 * @param dependencies - host, store and path of messages
 */
export function createConversationMethods(dependencies: ConversationMethodDependencies) {
  const { host, store, receive, events } = dependencies;
  const { plugins, traces, approvals } = host;
  const { now } = host.services;
  const policy = {
    ...{ store, events },
    componentTools: () => componentTools(host),
    get agents() {
      return host.router;
    },
    get model() {
      return host.model.ref;
    },
    // Read at each call, because a reload of plugins or configuration changes them.
    get services() {
      return host.services;
    },
  };
  const chat = {
    ...{ store, now, receive, received: host.received },
    // Read at each call: an agent that is added can be used at once.
    get agentIds() {
      return host.agentIds;
    },
    fullKey: (sessionKey: string) => host.fullKey(sessionKey),
    openTurns: (sessionKey: string) => host.openTurns(sessionKey),
    interrupt: (target: Parameters<Host["interrupt"]>[0]) => host.interrupt(target),
  };
  return createApprovalMethods({ store, approvals })
    .with(createChannelMethods({ channels: host.channels, agents: host.router, store, work: host }))
    .with(createChatMethods(chat))
    .with(createCommandMethods(host.commands))
    .with(createHookMethods(plugins, { store, traces }))
    .with(createConfiguredHookMethods(plugins))
    .with(
      createJobMethods({
        ...{ jobs: host.jobs, agents: host.router },
        fullKey: (sessionKey) => host.fullKey(sessionKey),
      }),
    )
    .with(createTaskMethods(host.tasks))
    .with(createLoginMethods(host.oauth))
    .with(createOfferMethods(plugins, () => host.services.safety))
    .with(createPolicyMethods(policy))
    .with(
      createRoutineMethods({
        ...{ routines: host.routines, agents: host.router },
        fullKey: (sessionKey) => host.fullKey(sessionKey),
      }),
    )
    .with(createHeartbeatMethods(host.routines))
    .with(createQueueMethods({ store, failedReplies: host.failedReplies }))
    .with(createRunMethods({ store, traces, forks: host.forks, now: () => host.services.now() }))
    .with(
      createSessionMethods({
        ...{ administration: host.sessions, agents: host.router },
        forks: host.forks.conversations,
      }),
    )
    .with(createSkillMethods(dependencies))
    .with(createSubscriptionMethods(chat))
    .with(createToolMethods(dependencies));
}

/**
 * Creates the methods of a gateway, the same for the command line and HTTP. A method of the protocol that no
 * family implements does not compile.
 * @param dependencies - host, store and state folder
 */
export function createGatewayMethods(
  dependencies: MethodDependencies,
): MethodRegistry<GatewayMethods> {
  const { host, configurationFile, state } = dependencies;
  const { plugins } = host;
  const { now } = host.services;
  const network = new NetworkClient({ allowHosts: () => dependencies.allowHosts() });
  const marketplaces = new Marketplaces({ state, network, now });
  return createConversationMethods(dependencies)
    .with(createAuthMethods(dependencies))
    .with(createBackupMethods({ ...dependencies, now: host.services.now }))
    .with(
      createConfigurationMethods({
        configurationFile,
        environment: dependencies.environment,
        plugins,
        change: dependencies.changeFiles,
        outcomeOf: dependencies.outcomeOf,
        readFiles: dependencies.readFiles,
        previewFiles: dependencies.previewFiles,
        writeFile: dependencies.writeFile,
        rules: () => host.services.safety.rules,
      }),
    )
    .with(createDeviceMethods(dependencies))
    .with(createDoctorMethods(dependencies))
    .with(createHostMethods(dependencies))
    .with(createUsageMethods(host, dependencies.store))
    .with(createMarketplaceMethods({ marketplaces, state }))
    .with(createMemoryMethods(dependencies))
    .with(createModelMethods(dependencies))
    .with(createNodeMethods(dependencies))
    .with(createLogMethods({ logFile: dependencies.state.logFile, log: dependencies.log }))
    .with(
      createPluginMethods({
        ...dependencies,
        ...{ plugins, marketplaces, network, now },
        hostVersion: dependencies.facts.version,
      }),
    )
    .with(createPushMethods(dependencies))
    .with(createRunReplayMethods(dependencies))
    .with(createSecretMethods(dependencies))
    .with(createSettingMethods(dependencies))
    .with(
      createSkillInstallMethods({
        ...{ state, marketplaces, network, now },
        safety: () => host.services.safety,
      }),
    );
}
