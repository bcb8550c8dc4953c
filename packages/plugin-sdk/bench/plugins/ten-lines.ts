import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";

export default definePluginEntry({
  id: "no-commands",
  register(api) {
    api.on("before_tool_call", ({ toolName }) => {
      if (toolName === "exec") return { block: true, blockReason: "No commands." };
    });
  },
});
