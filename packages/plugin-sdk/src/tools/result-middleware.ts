import type { ToolResult } from "./definition.js";

/** A tool's result on its way to a model. */
export interface ToolResultPassage {
  readonly toolName: string;
  readonly toolCallId?: string;
  readonly result: ToolResult;
}

/** Replaces results of tools before a model sees them; nothing leaves a result as it is (PLUG-056). */
export type AgentToolResultMiddleware = (
  passage: ToolResultPassage,
) => ToolResult | undefined | void | Promise<ToolResult | undefined | void>;
