export {
  type ApprovalAuditEntry,
  type ApprovalGrantScope,
  type ApprovalGrantSummary,
  type ApprovalMethod,
  type ApprovalMethodParameters,
  type ApprovalMethodResults,
  type ApprovalState,
  type ApprovalSummary,
  approvalMethodParameters,
} from "./approval-methods.js";
export {
  type ApiErrorBody,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionFinishReason,
  type ChatCompletionMessage,
  type ChatCompletionRequest,
  type ChatCompletionUsage,
  chatCompletionMessageSchema,
  chatCompletionRequestSchema,
} from "./chat-completion.js";
export type { ChatMethod, ChatMethodParameters, ChatMethodResults } from "./chat-methods.js";
export {
  type GatewayMethod,
  type GatewayMethodErrorBody,
  type GatewayMethodParameters,
  type GatewayMethodResults,
  gatewayMethodParameters,
} from "./gateway-methods.js";
export type {
  HookHandler,
  HookMethod,
  HookMethodParameters,
  HookMethodResults,
  HookPlugin,
  HookSummary,
} from "./hook-methods.js";
export {
  type PluginChange,
  type PluginDetails,
  type PluginMethod,
  type PluginMethodParameters,
  type PluginMethodResults,
  type PluginNote,
  type PluginSummary,
  pluginMethodParameters,
} from "./plugin-methods.js";
export type {
  PolicyAnswer,
  PolicyCaseOutcome,
  PolicyComparison,
  PolicyFlipSample,
  PolicyFlips,
  PolicyMethod,
  PolicyMethodParameters,
  PolicyMethodResults,
  PolicyQuestion,
} from "./policy-methods.js";
export {
  APPROVAL_EVENT,
  APPROVER_HEADER,
  MODEL_HEADER,
  SESSION_KEY_HEADER,
} from "./request-header.js";
export type {
  RunHookChange,
  RunHookHandler,
  RunHookNote,
  RunMethod,
  RunMethodParameters,
  RunMethodResults,
  RunSpan,
  RunTrace,
} from "./run-methods.js";
export type {
  SessionMethod,
  SessionMethodParameters,
  SessionMethodResults,
} from "./session-methods.js";
