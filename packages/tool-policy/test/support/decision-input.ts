import type { PolicyContext, PolicyTool } from "../../src/index.js";

/** A core tool. */
export function core(name: string): PolicyTool {
  return { name, origin: "core", optional: false, aliases: [] };
}

/** A tool of a plugin. */
export function plugin(name: string, pluginId: string, rest: Partial<PolicyTool> = {}): PolicyTool {
  return { name, pluginId, origin: "plugin", optional: false, aliases: [], ...rest };
}

/** The main agent, asked by its owner. */
export const OWNER: PolicyContext = {
  agentId: "main",
  senderIsOwner: true,
  sandboxed: false,
  subagentDepth: 0,
};

/** A context in which all seven layers apply. */
export const EVERYWHERE: PolicyContext = {
  ...OWNER,
  provider: "anthropic",
  channel: "telegram",
  groupId: "-100",
  sandboxed: true,
  subagentDepth: 1,
};
