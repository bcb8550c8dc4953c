import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { type AnthropicConfig, configSchema } from "./config.js";
import { anthropicProvider } from "./provider.js";
import { anthropicSettings } from "./settings.js";

export default definePluginEntry<AnthropicConfig>({
  id: "anthropic",
  configSchema,
  register(api) {
    api.registerProvider(anthropicProvider(anthropicSettings(api.pluginConfig, process.env)));
  },
});
