import type { AgentMessage, JsonSchema } from "@openclaw/plugin-sdk/tools";

/** A tool as a model is told of it. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments, an object schema. */
  parameters: JsonSchema;
}

/** Whether the model may, must or must not call a tool, or which one it must call. */
export type ModelToolChoice = "auto" | "required" | "none" | { toolName: string };

/** One question to a model: the conversation so far and what it may do (LLM-003). */
export interface ModelRequest {
  system?: string;
  messages: readonly AgentMessage[];
  /** Sent in the order of their names, so that the prompt's beginning stays the same. */
  tools: readonly ModelTool[];
  /** Default `auto`; ignored without tools. */
  toolChoice?: ModelToolChoice;
  temperature?: number;
  /** Tokens. */
  maxOutputTokens?: number;
  /** Ends the request, its HTTP connection included. */
  signal?: AbortSignal;
}
