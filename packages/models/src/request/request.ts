import type { AgentMessage, JsonSchema } from "@openclaw/plugin-sdk/tools";
import type { PromptCache } from "./prompt-cache.js";

/** Description of a tool for a model. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments, an object schema. */
  parameters: JsonSchema;
  /** True asks the provider to follow the schema exactly; providers without this feature ignore it. */
  strict?: boolean;
}

/** Setting that determines whether the model may, must or must not call a tool, or which one it must call. */
export type ModelToolChoice = "auto" | "required" | "none" | { toolName: string };

/** Format of a reply: text, or JSON that follows a schema if one is given. */
export type ModelResponseFormat =
  | { type: "text" }
  | { type: "json"; schema?: JsonSchema; name?: string; description?: string };

/** Effort that a model makes to reason before its answer. */
export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** Settings of a model call; absent settings have the default of the provider. */
export interface ModelSettings {
  temperature?: number;
  /** Share of the probability mass that is sampled, 0 to 1. */
  topP?: number;
  /** Number of the likeliest tokens that are sampled; providers without the setting ignore it. */
  topK?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  /** Strings at which the reply ends. */
  stopSequences?: string[];
  /** Maximum number of tokens in the reply. */
  maxOutputTokens?: number;
  responseFormat?: ModelResponseFormat;
  /** Effort that the model makes to reason before its answer; models without reasoning ignore it. */
  reasoning?: ReasoningEffort;
  /** Places up to which the provider is asked to cache the request; parts of messages may mark further ones. */
  promptCache?: PromptCache;
}

/** One request to a model: the conversation, tools and limits (LLM-003). */
export interface ModelRequest extends ModelSettings {
  system?: string;
  messages: readonly AgentMessage[];
  /** Tools in a stable order, so that the start of the prompt stays the same; the list is not changed after a request. */
  tools: readonly ModelTool[];
  /** Default `auto`; ignored without tools. */
  toolChoice?: ModelToolChoice;
  /** Run that makes the request; models receive it as `providerOptions.openclaw.runId`. */
  runId?: string;
  /** Signal that ends the request, including its HTTP connection. */
  signal?: AbortSignal;
}
