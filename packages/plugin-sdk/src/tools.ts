export {
  type AgentMessage,
  type AssistantMessage,
  type GateBlock,
  type ImagePart,
  messageText,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultMessage,
  type Usage,
  type UserMessage,
} from "./agent-message.js";
export type { DeepReadonly, JsonObject, JsonSchema, JsonValue } from "./json.js";
export type { StandardJsonSchema, StandardSchema } from "./schema-value.js";
export {
  type AgentToolResult,
  type AnyAgentTool,
  type ApprovalNeed,
  defineTool,
  type SessionToolFactory,
  type ToolDefinition,
  type ToolFactory,
  type ToolFactoryContext,
  type ToolFactoryV2,
  type ToolOf,
  type ToolOutput,
  type ToolRegistrationOptions,
  type ToolResult,
  type ToolSessionContext,
  type ToolUpdate,
} from "./tool-definition.js";
export type { ToolMetadata } from "./tool-metadata.js";
export type { AgentToolResultMiddleware, ToolResultPassage } from "./tool-result-middleware.js";
export type { JsonSchemaBeside, ParameterSchema, ParametersOf } from "./tool-schema.js";
