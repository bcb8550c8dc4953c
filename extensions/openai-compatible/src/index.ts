import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { configSchema, type OpenAiCompatibleConfig } from "./config.js";
import { serverProvider } from "./provider.js";
import { ollamaSettings, serverSettings } from "./settings.js";

export default definePluginEntry<OpenAiCompatibleConfig>({
  id: "openai-compatible",
  configSchema,
  register(api) {
    api.registerProvider(serverProvider(serverSettings(api.pluginConfig, process.env)));
    api.registerProvider(serverProvider(ollamaSettings(api.pluginConfig, process.env)));
  },
});
