import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

/** The plugin is what the module exports by this name. */
export const register = async (api: OpenClawPluginApi) => {
  api.registerTool({
    name: "name_it",
    description: "Names it.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "it" }] }),
  });
};
