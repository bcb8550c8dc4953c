import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

/** The plugin is an object; its register is called as its method. */
export default {
  id: "default-object",
  name: "Default object",
  greeting: "Hello",
  async register(api: OpenClawPluginApi) {
    const { greeting } = this;
    api.registerTool({
      name: "greet",
      description: "Greets.",
      parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [{ type: "text", text: greeting }] }),
    });
  },
};
