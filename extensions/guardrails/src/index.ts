import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { GuardedPlugin } from "./plugin.js";

export default definePluginEntry({
  id: "guardrails",
  name: "Guardrails",
  description: "Eight guards for messages, tool calls and costs; each is off until it is enabled.",
  async register(api) {
    await new GuardedPlugin(api).register();
  },
});
