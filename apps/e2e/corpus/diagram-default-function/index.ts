import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

export default async (api: OpenClawPluginApi) => {
  await Promise.resolve();
  api.registerTool({
    name: "pattern_one",
    description: "From a function.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [], details: 1 }),
  });
  api.registerHook(["agent_end"], () => {}, { name: "pattern-one" });
};
