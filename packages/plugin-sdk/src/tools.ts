export {
  type AgentMessage,
  type AssistantMessage,
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
export {
  type AnyAgentTool,
  type ApprovalNeed,
  defineTool,
  type ToolDefinition,
  type ToolFactory,
  type ToolFactoryContext,
  type ToolOutput,
  type ToolRegistrationOptions,
  type ToolResult,
  type ToolUpdate,
} from "./tool-definition.js";
export type { ParameterSchema, ParametersOf, StandardSchema } from "./tool-schema.js";
