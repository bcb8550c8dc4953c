export type {
  ApprovalAuditEntry,
  ApprovalGrantSummary,
  ApprovalMethod,
  ApprovalMethodParameters,
  ApprovalMethodResults,
  ApprovalSummary,
} from "./approval-methods.js";
export type {
  ApiErrorBody,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFinishReason,
  ChatCompletionMessage,
  ChatCompletionRequest,
  ChatCompletionUsage,
} from "./chat-completion.js";
export { GatewayClientError, type GatewayClientErrorCode } from "./errors.js";
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  type Readiness,
} from "./gateway-client.js";
export type {
  GatewayMethod,
  GatewayMethodParameters,
  GatewayMethodResults,
} from "./gateway-methods.js";
export type { HookHandler, HookMethodResults, HookPlugin, HookSummary } from "./hook-methods.js";
export type {
  PluginChange,
  PluginDetails,
  PluginNote,
  PluginSummary,
} from "./plugin-methods.js";
export type {
  PolicyAnswer,
  PolicyCaseOutcome,
  PolicyComparison,
  PolicyFlipSample,
  PolicyFlips,
  PolicyMethodResults,
} from "./policy-methods.js";
export type { ReplyEvent } from "./reply-stream.js";
export type { RunHookHandler, RunMethodResults, RunSpan, RunTrace } from "./run-methods.js";
