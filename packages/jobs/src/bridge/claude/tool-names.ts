import type { AgentCall } from "../../workers/api/requests.js";
import { EXTERNAL_TOOL } from "../../workers/external/gate-names.js";
import type { ClaudeCall } from "./lines.js";

/** Names of arguments that differ: those of Claude Code by those of the host. */
const RENAMED: Readonly<Record<string, string>> = {
  file_path: "path",
  notebook_path: "path",
};

/** Tools of the host whose policy and approvals hold for tools of Claude Code. */
const HOST_TOOLS: ReadonlyMap<string, string> = new Map([
  ["Bash", "exec"],
  ["Read", "read"],
  ["Write", "write"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["LS", "list"],
  ["Glob", "list"],
  ["Grep", "grep"],
  ["WebFetch", "web_fetch"],
  ["WebSearch", "web_search"],
]);

/**
 * Returns a call of Claude Code in the names of the host, so that the rules of the host hold for it. A tool that the host
 * does not have is its `external_tool`.
 * @param call - call of Claude Code
 */
export function hostCall({ id, tool, input }: ClaudeCall): AgentCall {
  const name = HOST_TOOLS.get(tool);
  if (name === undefined) return { id, tool: EXTERNAL_TOOL, params: { tool, input } };
  const params = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [RENAMED[key] ?? key, value]),
  );
  return { id, tool: name, params };
}
