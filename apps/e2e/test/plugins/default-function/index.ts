import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

/** The plugin is the function itself, and may be asynchronous. */
export default async (api: OpenClawPluginApi) => {
  await Promise.resolve();
  api.registerTool({
    name: "roll_dice",
    description: "Rolls a die that always shows four.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "4" }] }),
  });
  api.registerHook(["before_tool_call", "after_tool_call"], (_event, { hookName }) => {
    api.logger.info(`saw ${hookName}`);
  });
};
