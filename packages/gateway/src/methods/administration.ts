import type { GatewayMethodHandlers } from "@openclaw/protocol";
import { type ApprovalAdministrationHost, createApprovalAdministration } from "./approvals.js";
import { type ChatAdministrationHost, createChatAdministration } from "./chat.js";
import { createHookAdministration } from "./hooks.js";
import { createPluginAdministration, type PluginAdministrationHost } from "./plugins.js";
import { createPolicyAdministration, type PolicyAdministrationHost } from "./policy.js";
import { createRunAdministration, type RunAdministrationHost } from "./runs.js";
import { createSessionAdministration, type SessionAdministrationHost } from "./sessions.js";

/**
 * Makes the methods of a host.
 * @param host - its plugins, policy and store
 */
export function createAdministration(
  host: PluginAdministrationHost &
    PolicyAdministrationHost &
    ChatAdministrationHost &
    RunAdministrationHost &
    ApprovalAdministrationHost &
    SessionAdministrationHost,
): GatewayMethodHandlers {
  return {
    ...createChatAdministration(host),
    ...createPluginAdministration(host),
    ...createPolicyAdministration(host),
    ...createHookAdministration(host.plugins),
    ...createRunAdministration(host),
    ...createApprovalAdministration(host),
    ...createSessionAdministration(host),
  };
}
