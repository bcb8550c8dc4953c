import {
  createApprovalMethods,
  createChatMethods,
  createSessionMethods,
} from "@openclaw/messaging";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { Host } from "../host/running-host.js";
import { createHookMethods } from "./hooks.js";
import { createPluginMethods, type PluginMethodDependencies } from "./plugins.js";
import { createPolicyMethods } from "./policy.js";
import { createRunMethods } from "./runs.js";
import { createSecretMethods, type SecretMethodDependencies } from "./secrets.js";

/** Dependencies of {@link createGatewayMethods}; each family takes only what it uses. */
export interface MethodDependencies
  extends Omit<PluginMethodDependencies, "plugins" | "now">,
    SecretMethodDependencies {
  readonly host: Host;
  readonly store: Store;
}

/**
 * Creates the methods of a host, the same for the command line and HTTP. A method of the protocol that no
 * family implements does not compile.
 * @param dependencies - host, store and state folder
 */
export function createGatewayMethods(
  dependencies: MethodDependencies,
): MethodRegistry<GatewayMethods> {
  const { host, store } = dependencies;
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
  return createApprovalMethods({ store, approvals })
    .with(createChatMethods(host))
    .with(createHookMethods(plugins))
    .with(createPluginMethods({ ...dependencies, plugins, now }))
    .with(createPolicyMethods(policy))
    .with(createRunMethods({ store, traces }))
    .with(createSecretMethods(dependencies))
    .with(createSessionMethods({ administration: host.sessions, agents: host.router }));
}
