import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import { createReadTool, createTreeTool, createWriteTool } from "./documents.js";
import { createConnectTool, createProfileTool, createSpacesTool } from "./organisation.js";
import { createSearchTool } from "./search.js";
import type { ToolDependencies } from "./tool-context.js";

/** Names of the tools of the memory. */
export const TOOL_NAMES = [
  "memory_search",
  "memory_read",
  "memory_tree",
  "memory_write",
  "memory_connect",
  "memory_spaces",
  "memory_profile",
] as const;

/**
 * Creates the tools of the memory for a session.
 * @param dependencies - memory, and owner of the documents
 */
export function createTools(dependencies: ToolDependencies): AnyAgentTool[] {
  return [
    createSearchTool(dependencies),
    createReadTool(dependencies),
    createTreeTool(dependencies),
    createWriteTool(dependencies),
    createConnectTool(dependencies),
    createSpacesTool(dependencies),
    createProfileTool(dependencies),
  ];
}
