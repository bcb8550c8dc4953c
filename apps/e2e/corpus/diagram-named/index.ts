import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

export const register = async (api: OpenClawPluginApi) => {
  api.on("message_sent", () => {});
};
