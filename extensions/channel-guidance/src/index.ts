import { fileURLToPath } from "node:url";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { type ChannelGuidanceConfig, createGuides } from "./guides.js";

const bundledDir = fileURLToPath(new URL("../guides", import.meta.url));

export default definePluginEntry<ChannelGuidanceConfig>({
  id: "channel-guidance",
  name: "Channel guidance",
  description: "Tells the model, before each turn, what the turn's channel can show.",
  register(api) {
    const guides = createGuides(api.pluginConfig, { bundledDir, resolvePath: api.resolvePath });
    api.on("before_prompt_build", (_event, { messageProvider, agentId }) => {
      if (messageProvider === undefined) return undefined;
      const guide = guides.find(messageProvider, agentId);
      // Behind the system prompt, where it is the same in every turn and stays in the prompt cache.
      return guide === undefined ? undefined : { appendSystemContext: guide };
    });
  },
});
