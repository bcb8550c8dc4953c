import { clientCall, hostParams, hostTool } from "@openclaw/plugin-sdk/kit";

/** Call of a tool as Claude Code names it; paths are relative to the workspace. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Fields of calls of Claude Code that tools here do not have. */
const ONLY_THERE = new Set(["subagent_type"]);

/**
 * Returns a call with the names of tools and fields of this host.
 * @param call - call as Claude Code names it
 */
export function clientHostCall({ tool, input }: ScriptedCall): ScriptedCall {
  const name = hostTool(tool);
  const seen = clientCall(name, {}, (path) => path);
  const known = Object.entries(input)
    .filter(([key]) => !ONLY_THERE.has(key))
    // A skill of a bundle has the name of the bundle before its own there.
    .map(([key, value]) => [key, tool === "Skill" ? String(value).replace(/^.*:/, "") : value]);
  return { tool: name, input: hostParams(name, Object.fromEntries(known), seen, {}) };
}
