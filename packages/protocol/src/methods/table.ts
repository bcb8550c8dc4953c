import type { MethodName, MethodParameters, MethodResult } from "../definition/method-table.js";
import { approvalMethods } from "./approvals.js";
import { chatMethods } from "./chat.js";
import { hookMethods } from "./hooks.js";
import { pluginMethods } from "./plugins.js";
import { policyMethods } from "./policy.js";
import { runMethods } from "./runs.js";
import { secretMethods } from "./secrets.js";
import { sessionMethods } from "./sessions.js";

/** The table of the methods of the gateway. */
export type GatewayMethods = typeof approvalMethods &
  typeof chatMethods &
  typeof hookMethods &
  typeof pluginMethods &
  typeof policyMethods &
  typeof runMethods &
  typeof secretMethods &
  typeof sessionMethods;

/** Every method of the gateway, by name. */
export const gatewayMethods: GatewayMethods = {
  ...approvalMethods,
  ...chatMethods,
  ...hookMethods,
  ...pluginMethods,
  ...policyMethods,
  ...runMethods,
  ...secretMethods,
  ...sessionMethods,
};

/** Name of a method of the gateway. */
export type GatewayMethod = MethodName<GatewayMethods>;

/** Parameters of a method of the gateway. */
export type GatewayMethodParameters<Method extends GatewayMethod> = MethodParameters<
  GatewayMethods,
  Method
>;

/** Result of a method of the gateway. */
export type GatewayMethodResult<Method extends GatewayMethod> = MethodResult<
  GatewayMethods,
  Method
>;
