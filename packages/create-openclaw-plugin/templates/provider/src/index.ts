import { defineModelProviderPlugin } from "@openclaw/plugin-sdk/provider-entry";

export default defineModelProviderPlugin({
  id: "{{id}}",
  // After a change here, `npm run build` writes the configSchema of openclaw.plugin.json.
  config: {
    baseURL: { type: "string", description: "URL of the API, with /v1." },
    apiKey: { type: "string", description: "Sent as bearer token." },
  },
  env: { baseURL: "{{variablePrefix}}_BASE_URL", apiKey: "{{variablePrefix}}_API_KEY" },
  create(settings) {
    const baseURL = settings.httpUrl("baseURL") ?? "http://127.0.0.1:8080/v1";
    const apiKey = settings.find("apiKey")?.value;
    return {
      id: "{{shortId}}",
      label: "{{name}}",
      defaultModel: "default",
      paid: false,
      setup: "set plugins.entries.{{id}}.config.baseURL",
      credential: { source: baseURL },
      async languageModel(modelId) {
        // The library is loaded with the first model, so that it does not slow down the start.
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
        const key = apiKey === undefined ? {} : { apiKey };
        return createOpenAICompatible({ name: "{{shortId}}", baseURL, ...key }).chatModel(modelId);
      },
    };
  },
});
