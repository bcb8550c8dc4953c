import type { ToolResult } from "./definition.js";

/** Tool result before it is sent to a model. */
export interface ToolResultPassage {
  readonly toolName: string;
  readonly toolCallId?: string;
  readonly result: ToolResult;
}

/** Returns a replacement for a tool result; undefined keeps the result (PLUG-056). */
export type AgentToolResultMiddleware = (
  passage: ToolResultPassage,
) => ToolResult | undefined | void | Promise<ToolResult | undefined | void>;
