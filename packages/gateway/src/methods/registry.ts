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
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { Host } from "../host/running-host.js";
import type { Log } from "../state/log.js";
import { type AuthMethodDependencies, createAuthMethods } from "./auth.js";
import {
  type ConfigurationMethodDependencies,
  createConfigurationMethods,
} from "./configuration.js";
import { createHookMethods } from "./hooks.js";
import { createHostMethods, type GatewayFacts } from "./host.js";
import { createLogMethods } from "./logs.js";
import { createModelMethods } from "./models.js";
import { createPluginMethods, type PluginMethodDependencies } from "./plugins.js";
import { createPolicyMethods } from "./policy.js";
import { createRunMethods } from "./runs.js";
import { createSecretMethods, type SecretMethodDependencies } from "./secrets.js";
import { createToolMethods } from "./tools.js";

/** Dependencies of {@link createGatewayMethods}; each family takes only what it uses. */
export interface MethodDependencies
  extends AuthMethodDependencies,
    Omit<PluginMethodDependencies, "plugins" | "now">,
    SecretMethodDependencies {
  readonly host: Host;
  /**
   * Processes a message once the host has started, and resolves with its outcome.
   * @param message - message of a client
   * @param caller - receiver of its ID
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  readonly store: Store;
  /** Path of `openclaw.json`; created when it is missing. */
  readonly configurationFile: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Changes the configuration files, and applies the differences. */
  readonly changeFiles: ConfigurationMethodDependencies["change"];
  readonly facts: GatewayFacts;
  readonly log: Pick<Log, "onLine" | "unwritten">;
}

/**
 * Creates the methods of a host, the same for the command line and HTTP. A method of the protocol that no
 * family implements does not compile.
 * @param dependencies - host, store and state folder
 */
export function createGatewayMethods(
  dependencies: MethodDependencies,
): MethodRegistry<GatewayMethods> {
  const { host, store, receive, configurationFile } = dependencies;
  const { plugins, traces, approvals } = host;
  const { now } = host.services;
  const policy = {
    store,
    model: host.model.ref,
    // Read at each call, because a reload of plugins or configuration changes them.
    get services() {
      return host.services;
    },
  };
  const chat = {
    ...{ store, now, receive, agentIds: host.agentIds },
    fullKey: (sessionKey: string) => host.fullKey(sessionKey),
    openTurns: (sessionKey: string) => host.openTurns(sessionKey),
    interrupt: (target: Parameters<Host["interrupt"]>[0]) => host.interrupt(target),
  };
  return createApprovalMethods({ store, approvals })
    .with(createAuthMethods(dependencies))
    .with(createChatMethods(chat))
    .with(createCommandMethods(host.commands))
    .with(
      createConfigurationMethods({
        configurationFile,
        environment: dependencies.environment,
        plugins,
        change: dependencies.changeFiles,
        rules: () => host.services.safety.rules,
      }),
    )
    .with(createHookMethods(plugins, { store, traces }))
    .with(createHostMethods(dependencies))
    .with(createModelMethods({ host, store }))
    .with(createLogMethods({ logFile: dependencies.state.logFile, log: dependencies.log }))
    .with(
      createPluginMethods({
        ...dependencies,
        plugins,
        now,
        hostVersion: dependencies.facts.version,
      }),
    )
    .with(createPolicyMethods(policy))
    .with(createRunMethods({ store, traces }))
    .with(createSecretMethods(dependencies))
    .with(createSessionMethods({ administration: host.sessions, agents: host.router }))
    .with(createSubscriptionMethods(chat))
    .with(createToolMethods(dependencies));
}
