import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

const FORBIDDEN = ["password", "internal"];

export default definePluginEntry({
  id: "search-guard",
  register(api) {
    api.on("before_tool_call", ({ toolName, params }) => {
      if (toolName !== "web_search") return;
      const query = String(params.query ?? "").trim();
      const found = FORBIDDEN.find((word) => query.toLowerCase().includes(word));
      if (found !== undefined) {
        return {
          block: true,
          blockReason: `search-guard: searches for "${found}" are not allowed`,
        };
      }
      return { params: { ...params, query } };
    });
  },
});
