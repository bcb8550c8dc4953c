import { fileURLToPath } from "node:url";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { type ChannelGuidanceConfig, createGuides } from "./guides.js";

const bundledDir = fileURLToPath(new URL("../skills", import.meta.url));
const SENDING_TOOLS = ["message"];

export default definePluginEntry<ChannelGuidanceConfig>({
  id: "channel-guidance",
  name: "Channel guidance",
  description:
    "Tells the model which formatting a channel supports, before each turn or on demand.",
  register(api) {
    const { mode = "turn", sendingTools = SENDING_TOOLS } = api.pluginConfig;
    const guides = createGuides(api.pluginConfig, { bundledDir, resolvePath: api.resolvePath });
    api.on("before_prompt_build", (_event, { messageProvider, agentId }) => {
      if (mode !== "turn" || messageProvider === undefined) return undefined;
      const guide = guides.find(messageProvider, agentId);
      // Appended to the system prompt, so that the guide is the same in every turn and stays in the
      // prompt cache.
      return guide === undefined ? undefined : { appendSystemContext: guide };
    });
    // The host offers the skills; the guide for a sending tool is added to its result.
    api.on("before_tool_call", ({ toolName, params }, { messageProvider, agentId }) => {
      if (mode !== "skill" || !sendingTools.includes(toolName)) return undefined;
      const channel = typeof params.channel === "string" ? params.channel : messageProvider;
      const guidance = channel === undefined ? undefined : guides.find(channel, agentId);
      return guidance === undefined ? undefined : { guidance };
    });
  },
});
