import type { MethodName, MethodParameters, MethodResult } from "../definition/method-table.js";
import { doctorMethods } from "../doctor/methods.js";
import { jobMethods } from "../jobs/methods.js";
import { nodeMethods } from "../nodes/methods.js";
import { pushMethods } from "../push/methods.js";
import { queueMethods } from "../queues/methods.js";
import { heartbeatMethods } from "../routines/heartbeat.js";
import { routineMethods } from "../routines/methods.js";
import { runReplayMethods } from "../runs/replay.js";
import { usageMethods } from "../usage/methods.js";
import { approvalMethods } from "./approvals.js";
import { authMethods } from "./auth.js";
import { backupMethods } from "./backups.js";
import { channelMethods } from "./channels.js";
import { chatMethods } from "./chat.js";
import { commandMethods } from "./commands.js";
import { configurationMethods } from "./configuration.js";
import { configuredHookMethods } from "./configured-hooks.js";
import { deviceMethods } from "./devices.js";
import { hookMethods } from "./hooks.js";
import { hostMethods, taskMethods } from "./host.js";
import { marketplaceMethods } from "./installations/marketplaces.js";
import { skillInstallMethods } from "./installations/skill-installs.js";
import { loginMethods } from "./logins.js";
import { logMethods } from "./logs.js";
import { memoryMethods } from "./memory.js";
import { modelMethods } from "./models.js";
import { promptMethods } from "./offers/prompts.js";
import { resourceMethods } from "./offers/resources.js";
import { pluginMethods } from "./plugins.js";
import { policyMethods } from "./policy.js";
import { runMethods } from "./runs.js";
import { secretMethods } from "./secrets.js";
import { sessionMethods } from "./sessions.js";
import { settingMethods } from "./settings.js";
import { skillMethods } from "./skills.js";
import { subscriptionMethods } from "./subscriptions.js";
import { toolMethods } from "./tools.js";

/** The table of the methods of the gateway. */
export type GatewayMethods = typeof approvalMethods &
  typeof authMethods &
  typeof backupMethods &
  typeof channelMethods &
  typeof chatMethods &
  typeof commandMethods &
  typeof configurationMethods &
  typeof configuredHookMethods &
  typeof deviceMethods &
  typeof doctorMethods &
  typeof hookMethods &
  typeof hostMethods &
  typeof jobMethods &
  typeof loginMethods &
  typeof logMethods &
  typeof marketplaceMethods &
  typeof memoryMethods &
  typeof modelMethods &
  typeof nodeMethods &
  typeof pluginMethods &
  typeof policyMethods &
  typeof promptMethods &
  typeof pushMethods &
  typeof queueMethods &
  typeof resourceMethods &
  typeof routineMethods &
  typeof heartbeatMethods &
  typeof runMethods &
  typeof runReplayMethods &
  typeof secretMethods &
  typeof sessionMethods &
  typeof settingMethods &
  typeof skillInstallMethods &
  typeof skillMethods &
  typeof subscriptionMethods &
  typeof taskMethods &
  typeof toolMethods &
  typeof usageMethods;

/** Every method of the gateway, by name. */
export const gatewayMethods: GatewayMethods = {
  ...approvalMethods,
  ...authMethods,
  ...backupMethods,
  ...channelMethods,
  ...chatMethods,
  ...commandMethods,
  ...configurationMethods,
  ...configuredHookMethods,
  ...deviceMethods,
  ...doctorMethods,
  ...hookMethods,
  ...hostMethods,
  ...jobMethods,
  ...loginMethods,
  ...logMethods,
  ...marketplaceMethods,
  ...memoryMethods,
  ...modelMethods,
  ...nodeMethods,
  ...pluginMethods,
  ...policyMethods,
  ...promptMethods,
  ...pushMethods,
  ...queueMethods,
  ...resourceMethods,
  ...routineMethods,
  ...heartbeatMethods,
  ...runMethods,
  ...runReplayMethods,
  ...secretMethods,
  ...sessionMethods,
  ...settingMethods,
  ...skillInstallMethods,
  ...skillMethods,
  ...subscriptionMethods,
  ...taskMethods,
  ...toolMethods,
  ...usageMethods,
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
