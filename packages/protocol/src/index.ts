export type {
  ApprovalAuditEntry,
  ApprovalGrantSummary,
  ApprovalMethod,
  ApprovalMethodParameters,
  ApprovalMethodResults,
  ApprovalSummary,
} from "./methods/approvals.js";
export type { ChatMethod, ChatMethodParameters, ChatMethodResults } from "./methods/chat.js";
export type {
  HookHandler,
  HookMethod,
  HookMethodParameters,
  HookMethodResults,
  HookPlugin,
  HookSummary,
} from "./methods/hooks.js";
export {
  type GatewayMethod,
  type GatewayMethodErrorBody,
  type GatewayMethodHandlers,
  type GatewayMethodParameters,
  type GatewayMethodResults,
  gatewayMethodParameters,
} from "./methods/methods.js";
export type {
  PluginChange,
  PluginMethod,
  PluginMethodParameters,
  PluginMethodResults,
  PluginNote,
  PluginSummary,
} from "./methods/plugins.js";
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
} from "./methods/policy.js";
export type {
  RunHookHandler,
  RunHookNote,
  RunMethod,
  RunMethodParameters,
  RunMethodResults,
  RunSpan,
  RunTrace,
} from "./methods/runs.js";
export type {
  SessionMethod,
  SessionMethodParameters,
  SessionMethodResults,
} from "./methods/sessions.js";
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
export {
  APPROVAL_EVENT,
  APPROVER_HEADER,
  MODEL_HEADER,
  SESSION_KEY_HEADER,
} from "./request-header.js";
