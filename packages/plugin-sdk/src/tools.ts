export {
  type AgentMessage,
  type AssistantMessage,
  type CacheablePart,
  type CacheLifetime,
  type FilePart,
  type GateBlock,
  type ImagePart,
  messageText,
  type PartFile,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultMessage,
  type Usage,
  type UsageCost,
  type UserMessage,
} from "./message/message.js";
export type { DeepReadonly, JsonObject, JsonSchema, JsonValue } from "./schema/json.js";
export type { StandardJsonSchema, StandardSchema } from "./schema/standard-schema.js";
export {
  type AgentToolResult,
  type AnyAgentTool,
  type ApprovalNeed,
  defineTool,
  type NestedToolCall,
  type NestedToolResult,
  type ScopedApproval,
  type SessionToolFactory,
  type ToolDefinition,
  type ToolFactory,
  type ToolFactoryContext,
  type ToolFactoryV2,
  type ToolOf,
  type ToolOutput,
  type ToolRecall,
  type ToolRegistrationOptions,
  type ToolRequester,
  type ToolResult,
  type ToolSessionContext,
  type ToolUpdate,
} from "./tools/definition.js";
export type { InputRequest, InputSchema, ToolInput, ToolInputRequest } from "./tools/input.js";
export type { JobProgress, ToolJob } from "./tools/job.js";
export type { ToolMetadata } from "./tools/metadata.js";
export type {
  AgentToolResultMiddleware,
  ToolResultPassage,
  ToolResultReplacement,
} from "./tools/result-middleware.js";
export type { JsonSchemaBeside, ParameterSchema, ParametersOf } from "./tools/schema.js";
