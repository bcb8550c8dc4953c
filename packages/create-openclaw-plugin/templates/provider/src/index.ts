import { readString } from "@openclaw/plugin-sdk/param-readers";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { defineProvider } from "@openclaw/plugin-sdk/provider-entry";

export default definePluginEntry({
  id: "{{id}}",
  register(api) {
    const baseURL = readString(api.pluginConfig, "baseURL") ?? "http://127.0.0.1:8080/v1";
    const apiKey = readString(api.pluginConfig, "apiKey");
    api.registerProvider(
      defineProvider({
        id: "{{shortId}}",
        label: "{{name}}",
        defaultModel: "default",
        paid: false,
        setup: "set plugins.entries.{{id}}.config.baseURL",
        credential: { source: baseURL },
        async languageModel(modelId) {
          // The library is loaded with the first model, so that it costs a start nothing.
          const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
          const key = apiKey === undefined ? {} : { apiKey };
          return createOpenAICompatible({ name: "{{shortId}}", baseURL, ...key }).chatModel(
            modelId,
          );
        },
      }),
    );
  },
});
