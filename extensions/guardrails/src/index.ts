import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { guardrailsData } from "./migrations.js";
import { GuardedPlugin } from "./plugin.js";

export default definePluginEntry({
  id: "guardrails",
  name: "Guardrails",
  description: "Eight guards for messages, tool calls and costs; each is off until it is enabled.",
  data: guardrailsData,
  async register(api) {
    await new GuardedPlugin(api).register();
  },
});
