import type { AgentMessage, JsonSchema } from "@openclaw/plugin-sdk/tools";

/** Description of a tool for a model. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments, an object schema. */
  parameters: JsonSchema;
}

/** Setting that determines whether the model may, must or must not call a tool, or which one it must call. */
export type ModelToolChoice = "auto" | "required" | "none" | { toolName: string };

/** One request to a model: the conversation, tools and limits (LLM-003). */
export interface ModelRequest {
  system?: string;
  messages: readonly AgentMessage[];
  /** Tools, sent in the order of their names, so that the start of the prompt stays the same. */
  tools: readonly ModelTool[];
  /** Default `auto`; ignored without tools. */
  toolChoice?: ModelToolChoice;
  temperature?: number;
  /** Maximum number of tokens in the reply. */
  maxOutputTokens?: number;
  /** Signal that ends the request, including its HTTP connection. */
  signal?: AbortSignal;
}
