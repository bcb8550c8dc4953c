import type { Static } from "typebox";
import { type HookMethodResults, hookMethodParameters } from "./hook-methods.js";
import { type PluginMethodResults, pluginMethodParameters } from "./plugin-methods.js";
import { type PolicyMethodResults, policyMethodParameters } from "./policy-methods.js";

/** Parameters of every method of the gateway, by name (GW-026). */
export const gatewayMethodParameters = {
  ...pluginMethodParameters,
  ...policyMethodParameters,
  ...hookMethodParameters,
};

/** Name of a method of the gateway. */
export type GatewayMethod = keyof typeof gatewayMethodParameters;

/** Parameters of a method of the gateway. */
export type GatewayMethodParameters<Method extends GatewayMethod> = Static<
  (typeof gatewayMethodParameters)[Method]
>;

/** Results of the gateway's methods, by name. */
export type GatewayMethodResults = PluginMethodResults & PolicyMethodResults & HookMethodResults;

/** Body of a failed method call. */
export interface GatewayMethodErrorBody {
  error: { code: string; message: string };
}
