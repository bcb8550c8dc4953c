import { DENIED } from "openclaw/plugin-sdk/plugin-entry";

const denied = new Set([...DENIED, "rm"]);

export function register(api) {
  api.on("before_tool_call", ({ toolName }) => ({ block: denied.has(toolName) }));
}
