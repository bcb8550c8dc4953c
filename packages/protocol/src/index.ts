export { defineEvent, type EventDefinition, type EventPayload } from "./definition/event.js";
export type { Immutable } from "./definition/immutable.js";
export { defineMethod, type MethodDefinition } from "./definition/method.js";
export {
  type CallMethod,
  type MethodHandlers,
  type MethodName,
  type MethodParameters,
  type MethodResult,
  type MethodTable,
  methodTable,
} from "./definition/method-table.js";
export type { MethodScope } from "./definition/scope.js";
export { approvalEvent } from "./events/approval.js";
export { gatewayEvents } from "./events/table.js";
export {
  type ApprovalAuditEntry,
  type ApprovalGrantSummary,
  type ApprovalSummary,
  approvalMethods,
} from "./methods/approvals.js";
export { chatMethods } from "./methods/chat.js";
export type { GatewayMethodErrorBody } from "./methods/error-body.js";
export {
  type HookHandler,
  type HookPlugin,
  type HookSummary,
  hookMethods,
} from "./methods/hooks.js";
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
export { sessionMethods } from "./methods/sessions.js";
export {
  type GatewayMethod,
  type GatewayMethodParameters,
  type GatewayMethodResult,
  type GatewayMethods,
  gatewayMethods,
} from "./methods/table.js";
export {
  type ApiErrorBody,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionFinishReason,
  type ChatCompletionMessage,
  type ChatCompletionRequest,
  type ChatCompletionUsage,
  chatCompletionRequestSchema,
} from "./openai/chat-completion.js";
export type { ParameterIssue } from "./registry/parameter-issue.js";
export { APPROVER_HEADER, MODEL_HEADER, SESSION_KEY_HEADER } from "./request-header.js";
