import type {
  GatewayMethod,
  GatewayMethodParameters,
  GatewayMethodResults,
} from "@openclaw/client/wire";
import {
  type ApprovalAdministrationHost,
  createApprovalAdministration,
} from "./approval-administration.js";
import { type ChatAdministrationHost, createChatAdministration } from "./chat-administration.js";
import { createHookAdministration } from "./hook-administration.js";
import {
  createPluginAdministration,
  type PluginAdministrationHost,
} from "./plugin-administration.js";
import {
  createPolicyAdministration,
  type PolicyAdministrationHost,
} from "./policy-administration.js";
import { createRunAdministration, type RunAdministrationHost } from "./run-administration.js";
import {
  createSessionAdministration,
  type SessionAdministrationHost,
} from "./session-administration.js";

/** The methods of a host, the same for the command line and the wire (GW-026). */
export type Administration = {
  readonly [Method in GatewayMethod]: (
    parameters: GatewayMethodParameters<Method>,
  ) => Promise<GatewayMethodResults[Method]>;
};

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
): Administration {
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
