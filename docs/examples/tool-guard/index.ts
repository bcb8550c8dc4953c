import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

export default definePluginEntry({
  id: "tool-guard",
  register(api) {
    api.on("before_tool_call", ({ toolName, params }) => {
      if (toolName !== "exec" || !/\brm\b/.test(String(params.command))) return;
      return { block: true, blockReason: "tool-guard allows no removals; move it to ./trash" };
    });
    api.on("after_tool_call", ({ toolName, outcome, durationMs }) => {
      console.error(`tool-guard: ${toolName} ended with ${outcome} after ${durationMs} ms`);
    });
  },
});
