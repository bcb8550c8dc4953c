import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { JsonValue, Usage } from "@openclaw/plugin-sdk/tools";

/** A tool call in a scripted reply. */
export interface ScriptToolCall {
  toolName: string;
  /** Default `{}`. */
  params?: JsonValue;
  /** Default `call-<n>`, counted over the conversation. */
  toolCallId?: string;
  /** The arguments as raw text, instead of `params`; need not be JSON. */
  rawParams?: string;
}

/** A failure in a scripted reply, as an HTTP answer would bring it. */
export interface ScriptFailure {
  /** HTTP status; without one the failure is the provider's own. */
  status?: number;
  message: string;
  /** Milliseconds, sent as the header `retry-after-ms`. */
  retryAfterMs?: number;
}

/** One reply of a scripted model: thinking, text and tool calls, in this order, word by word. */
export interface ScriptStep {
  text?: string;
  thinking?: string;
  toolCalls?: readonly ScriptToolCall[];
  /** Default `tool-calls` with calls, else `stop`. */
  finish?: LanguageModelV4FinishReason["unified"];
  /** Token usage; not reported by default. */
  usage?: Usage;
  /** Fails the request: at once, or after `breakAfter` words. */
  error?: Error | ScriptFailure;
  /** Ends the stream after this many words, without a finish, or with `error`. */
  breakAfter?: number;
  /** The reply starts when this has settled. */
  waitFor?: PromiseLike<unknown>;
  /** Milliseconds before the reply starts. */
  delayMs?: number;
}

/** A step, or a function that makes it from the request. */
export type ScriptEntry =
  | ScriptStep
  | ((request: LanguageModelV4CallOptions) => ScriptStep | Promise<ScriptStep>);

/** The replies of a scripted model in order, or one function that makes them all. */
export type ModelScript =
  | readonly ScriptEntry[]
  | ((request: LanguageModelV4CallOptions) => ScriptStep | Promise<ScriptStep>);
