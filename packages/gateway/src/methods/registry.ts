import {
  createApprovalMethods,
  createChatMethods,
  createSessionMethods,
} from "@openclaw/messaging";
import type { GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import { createHookMethods } from "./hooks.js";
import { createPluginMethods } from "./plugins.js";
import { createPolicyMethods } from "./policy.js";
import { createRunMethods } from "./runs.js";

/** Dependencies of the methods of a host, by family. */
export interface MethodDependencies {
  readonly approvals: Parameters<typeof createApprovalMethods>[0];
  readonly chat: Parameters<typeof createChatMethods>[0];
  readonly hooks: Parameters<typeof createHookMethods>[0];
  readonly plugins: Parameters<typeof createPluginMethods>[0];
  readonly policy: Parameters<typeof createPolicyMethods>[0];
  readonly runs: Parameters<typeof createRunMethods>[0];
  readonly sessions: Parameters<typeof createSessionMethods>[0];
}

/**
 * Makes the methods of a host, the same for the command line and the wire. A method of the protocol that no
 * family implements does not compile.
 * @param dependencies - of each family
 */
export function createGatewayMethods(
  dependencies: MethodDependencies,
): MethodRegistry<GatewayMethods> {
  return createApprovalMethods(dependencies.approvals)
    .with(createChatMethods(dependencies.chat))
    .with(createHookMethods(dependencies.hooks))
    .with(createPluginMethods(dependencies.plugins))
    .with(createPolicyMethods(dependencies.policy))
    .with(createRunMethods(dependencies.runs))
    .with(createSessionMethods(dependencies.sessions));
}
