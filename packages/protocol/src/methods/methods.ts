import type { Static } from "typebox";
import { type ApprovalMethodResults, approvalMethodParameters } from "./approvals.js";
import { type ChatMethodResults, chatMethodParameters } from "./chat.js";
import { type HookMethodResults, hookMethodParameters } from "./hooks.js";
import { type PluginMethodResults, pluginMethodParameters } from "./plugins.js";
import { type PolicyMethodResults, policyMethodParameters } from "./policy.js";
import { type RunMethodResults, runMethodParameters } from "./runs.js";
import { type SessionMethodResults, sessionMethodParameters } from "./sessions.js";

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

/** Implementations of the gateway's methods, by name. */
export type GatewayMethodHandlers = {
  readonly [Method in GatewayMethod]: (
    parameters: GatewayMethodParameters<Method>,
  ) => Promise<GatewayMethodResults[Method]>;
};

/** Body of a failed method call. */
export interface GatewayMethodErrorBody {
  error: {
    /** Stable code of the error, for example `PLUGIN_NOT_FOUND`. */
    code: string;
    /** Category of the error, for example `not-found`; the exit code of the command line follows from it. */
    kind: string;
    message: string;
  };
}
