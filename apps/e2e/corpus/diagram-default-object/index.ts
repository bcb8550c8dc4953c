import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

export default {
  id: "diagram-default-object",
  name: "Pattern two",
  register: async (api: OpenClawPluginApi) => {
    api.on("message_received", () => {});
  },
};
