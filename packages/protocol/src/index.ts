export type { EventPayload } from "./definition/event.js";
export type { MethodDefinition } from "./definition/method.js";
export {
  type MethodCall,
  type MethodCaller,
  type MethodConnection,
  OPERATOR_CALL,
} from "./definition/method-call.js";
export type { CallMethod, MethodTable } from "./definition/method-table.js";
export { includesScope, METHOD_SCOPES, type MethodScope } from "./definition/scope.js";
export { approvalEvent } from "./events/approval.js";
export { APPROVAL_EVENT } from "./events/approval-name.js";
export {
  type EventPublisher,
  type GatewayEventName,
  type GatewayEventPayload,
  gatewayEvents,
  type PluginEvent,
  type PluginEventPublisher,
  type PublishedEventName,
} from "./events/table.js";
export { type JobDetails, type JobSummary, jobMethods } from "./jobs/methods.js";
export {
  type ApprovalAuditEntry,
  type ApprovalGrantSummary,
  type ApprovalSummary,
  approvalMethods,
} from "./methods/approvals.js";
export { authMethods } from "./methods/auth.js";
export { channelMethods } from "./methods/channels.js";
export { chatMethods } from "./methods/chat.js";
export { commandMethods } from "./methods/commands.js";
export { configurationMethods } from "./methods/configuration.js";
export {
  type ConfiguredHookDescription,
  type ConfiguredHookSummary,
  configuredHookMethods,
} from "./methods/configured-hooks.js";
export { type DeviceSummary, deviceMethods, pushMethods } from "./methods/devices.js";
export {
  type HookHandler,
  type HookPlugin,
  type HookSummary,
  hookMethods,
} from "./methods/hooks.js";
export { backupMethods, hostMethods, taskMethods, usageMethods } from "./methods/host.js";
export { loginMethods } from "./methods/logins.js";
export { doctorMethods, logMethods } from "./methods/logs.js";
export { memoryMethods } from "./methods/memory.js";
export { modelMethods } from "./methods/models.js";
export { promptMethods, resourceMethods } from "./methods/offers/resources.js";
export {
  type PluginChange,
  type PluginNote,
  type PluginSummary,
  pluginMethods,
} from "./methods/plugins.js";
export {
  type PolicyAnswer,
  type PolicyCaseOutcome,
  type PolicyComparison,
  type PolicyFlipSample,
  type PolicyFlips,
  type PolicyQuestion,
  policyMethods,
} from "./methods/policy.js";
export {
  type RunHookHandler,
  type RunHookNote,
  type RunSpan,
  type RunTrace,
  runMethods,
} from "./methods/runs.js";
export { type SessionSummary, sessionMethods } from "./methods/sessions.js";
export { secretMethods, settingMethods } from "./methods/settings.js";
export { marketplaceMethods, skillInstallMethods } from "./methods/skills.js";
export { subscriptionMethods } from "./methods/subscriptions.js";
export {
  type GatewayMethodParameters,
  type GatewayMethodResult,
  type GatewayMethods,
  gatewayMethods,
} from "./methods/table.js";
export { skillMethods, toolMethods } from "./methods/tools.js";
export { type NodeSummary, nodeMethods } from "./nodes/methods.js";
export { type DeadItemSummary, queueMethods } from "./queues/methods.js";
export { APPROVER_HEADER, MODEL_HEADER, SESSION_KEY_HEADER } from "./request-header.js";
export { heartbeatMethods } from "./routines/heartbeat.js";
export {
  type RoutineDetails,
  type RoutineRunSummary,
  type RoutineSummary,
  routineMethods,
} from "./routines/methods.js";
export { runReplayMethods } from "./runs/replay.js";
export { type WireError, type WireErrorBody, wireErrorSchema } from "./wire/error.js";
export { WIRE_ERROR_CODES, type WireErrorCode } from "./wire/error-code.js";
export {
  CLOSE_CODES,
  CONNECTION_LIMITS,
  type ConnectParams,
  type ConnectResult,
  connectParamsSchema,
  connectResultSchema,
  PROTOCOL_VERSIONS,
  type RequestFrame,
  requestFrameSchema,
  type ServerFrame,
  serverFrameSchema,
} from "./wire/frame.js";
