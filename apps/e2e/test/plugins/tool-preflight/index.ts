import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

/** Asks a person before each search of the web. */
export default definePluginEntry({
  id: "tool-preflight",
  name: "Tool Preflight",
  register(api) {
    api.on(
      "before_tool_call",
      async ({ toolName, params }) => {
        if (toolName !== "web_search") return undefined;
        return {
          requireApproval: {
            title: "Search the web",
            description: `The agent wants to search for: ${String(params.query ?? "")}`,
            severity: "info",
            timeoutMs: 60_000,
            timeoutBehavior: "deny",
          },
        };
      },
      { priority: 50 },
    );
  },
});
