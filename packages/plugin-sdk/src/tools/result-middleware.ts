import type { ToolResult } from "./definition.js";

/** Tool result before it is sent to a model; secrets are redacted. */
export interface ToolResultPassage {
  readonly toolName: string;
  readonly toolCallId?: string;
  /** Arguments of the call. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly result: ToolResult;
}

/** Replacement of a tool result; newer plugins wrap it. */
export type ToolResultReplacement = ToolResult | { readonly result: ToolResult };

/**
 * Returns a replacement for a tool result, which the safety engine inspects again; undefined keeps the result (PLUG-056).
 */
export type AgentToolResultMiddleware = (
  passage: ToolResultPassage,
) => ToolResultReplacement | undefined | void | Promise<ToolResultReplacement | undefined | void>;
