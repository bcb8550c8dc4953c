import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { JsonValue, Usage } from "@openclaw/plugin-sdk/tools";

/** A tool call in a scripted reply. */
export interface ScriptToolCall {
  toolName: string;
  /** Arguments of the call; default `{}`. */
  params?: JsonValue;
  /** ID of the call; default `call-<n>`, counted over the conversation. */
  toolCallId?: string;
  /** Arguments as raw text, instead of `params`; need not be JSON. */
  rawParams?: string;
}

/** Failure in a scripted reply, in the form of an HTTP response. */
export interface ScriptFailure {
  /** HTTP status; without one, the failure is an error of the provider without a response. */
  status?: number;
  message: string;
  /** Time to wait in milliseconds, sent as the header `retry-after-ms`. */
  retryAfterMs?: number;
}

/** Tokens that a scripted reply reports; the host computes its cost. */
export type ScriptUsage = Omit<Usage, "cost">;

/** Reply of a scripted model: thinking, text and tool calls, in this order, word by word. */
export interface ScriptStep {
  text?: string;
  thinking?: string;
  toolCalls?: readonly ScriptToolCall[];
  /** Finish reason; default `tool-calls` with calls, else `stop`. */
  finish?: LanguageModelV4FinishReason["unified"];
  /** Token usage; not reported by default. */
  usage?: ScriptUsage;
  /** Fails the request: at once, or after `breakAfter` words. */
  error?: Error | ScriptFailure;
  /** Ends the stream after this many words, without a finish, or with `error`. */
  breakAfter?: number;
  /** Promise that delays the reply until it settles. */
  waitFor?: PromiseLike<unknown>;
  /** Milliseconds before the reply starts. */
  delayMs?: number;
}

/** Step, or a function that creates it from the request. */
export type ScriptEntry =
  | ScriptStep
  | ((request: LanguageModelV4CallOptions) => ScriptStep | Promise<ScriptStep>);

/** Replies of a scripted model in order, or one function that creates all of them. */
export type ModelScript =
  | readonly ScriptEntry[]
  | ((request: LanguageModelV4CallOptions) => ScriptStep | Promise<ScriptStep>);
