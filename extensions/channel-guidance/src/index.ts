import { fileURLToPath } from "node:url";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { type ChannelGuidanceConfig, createGuides } from "./guides.js";
import { limitProblems } from "./limits.js";

const bundledDir = fileURLToPath(new URL("../skills", import.meta.url));
const SENDING_TOOLS = ["message"];

export default definePluginEntry<ChannelGuidanceConfig>({
  id: "channel-guidance",
  name: "Channel guidance",
  description:
    "Tells the model which formatting a channel supports, before each turn or on demand.",
  register(api) {
    const { mode = "turn", sendingTools = SENDING_TOOLS, reconsider = false } = api.pluginConfig;
    const guides = createGuides(api.pluginConfig, { bundledDir, resolvePath: api.resolvePath });
    api.on("before_prompt_build", (_event, { messageProvider, agentId }) => {
      if (mode !== "turn" || messageProvider === undefined) return undefined;
      const guide = guides.find(messageProvider, agentId);
      // Appended to the system prompt, so that the guide is the same in every turn and stays in the
      // prompt cache.
      return guide === undefined ? undefined : { appendSystemContext: guide };
    });
    if (mode === "description") {
      for (const toolName of sendingTools) {
        api.registerToolMetadata({
          toolName,
          // The same for every turn of a session, so that the tools stay in the prompt cache.
          modelDescription: ({ messageChannel, agentId }) => guides.find(messageChannel, agentId),
        });
      }
    }
    // The host offers the skills; the guide for a sending tool is added to its result.
    api.on("before_tool_call", ({ toolName, params }, { messageProvider, agentId }) => {
      if (!sendingTools.includes(toolName)) return undefined;
      const channel = typeof params.channel === "string" ? params.channel : messageProvider;
      if (channel === undefined) return undefined;
      const text = typeof params.text === "string" ? params.text : "";
      const problems = reconsider ? limitProblems(channel, text) : [];
      // In the other modes the model has the guide of the turn's own channel already.
      const isKnown = mode !== "skill" && channel === messageProvider;
      const guide = isKnown && problems.length === 0 ? undefined : guides.find(channel, agentId);
      if (problems.length === 0) return guide === undefined ? undefined : { guidance: guide };
      const problem = `For ${channel}: ${problems.join("; ")}.`;
      return {
        guidance: [problem, guide].filter((part) => part !== undefined).join("\n"),
        requestReconsideration: true,
      };
    });
  },
});
