import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { configSchema, type OpenAiConfig } from "./config.js";
import { openAiProvider } from "./provider.js";
import { openAiSettings } from "./settings.js";

export default definePluginEntry<OpenAiConfig>({
  id: "openai",
  configSchema,
  register(api) {
    api.registerProvider(openAiProvider(openAiSettings(api.pluginConfig, process.env)));
  },
});
