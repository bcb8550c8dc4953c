import type { Static } from "typebox";
import { type ApprovalMethodResults, approvalMethodParameters } from "./approval-methods.js";
import { type ChatMethodResults, chatMethodParameters } from "./chat-methods.js";
import { type HookMethodResults, hookMethodParameters } from "./hook-methods.js";
import { type PluginMethodResults, pluginMethodParameters } from "./plugin-methods.js";
import { type PolicyMethodResults, policyMethodParameters } from "./policy-methods.js";
import { type RunMethodResults, runMethodParameters } from "./run-methods.js";
import { type SessionMethodResults, sessionMethodParameters } from "./session-methods.js";

/** Parameters of every method of the gateway, by name (GW-026). */
export const gatewayMethodParameters = {
  ...chatMethodParameters,
  ...pluginMethodParameters,
  ...policyMethodParameters,
  ...hookMethodParameters,
  ...runMethodParameters,
  ...approvalMethodParameters,
  ...sessionMethodParameters,
};

/** Name of a method of the gateway. */
export type GatewayMethod = keyof typeof gatewayMethodParameters;

/** Parameters of a method of the gateway. */
export type GatewayMethodParameters<Method extends GatewayMethod> = Static<
  (typeof gatewayMethodParameters)[Method]
>;

/** Results of the gateway's methods, by name. */
export type GatewayMethodResults = ChatMethodResults &
  PluginMethodResults &
  PolicyMethodResults &
  HookMethodResults &
  RunMethodResults &
  ApprovalMethodResults &
  SessionMethodResults;

/** Body of a failed method call. */
export interface GatewayMethodErrorBody {
  error: { code: string; message: string };
}
