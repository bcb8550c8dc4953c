import type { Static } from "typebox";
import { type ChatMethodResults, chatMethodParameters } from "./chat-methods.js";
import { type HookMethodResults, hookMethodParameters } from "./hook-methods.js";
import { type PluginMethodResults, pluginMethodParameters } from "./plugin-methods.js";
import { type PolicyMethodResults, policyMethodParameters } from "./policy-methods.js";
import { type RunMethodResults, runMethodParameters } from "./run-methods.js";

/** Parameters of every method of the gateway, by name (GW-026). */
export const gatewayMethodParameters = {
  ...chatMethodParameters,
  ...pluginMethodParameters,
  ...policyMethodParameters,
  ...hookMethodParameters,
  ...runMethodParameters,
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
  RunMethodResults;

/** Body of a failed method call. */
export interface GatewayMethodErrorBody {
  error: { code: string; message: string };
}
