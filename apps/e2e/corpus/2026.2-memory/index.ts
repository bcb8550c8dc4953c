import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

const configSchema = {
  parse(value: unknown) {
    const given = value as { embedding: Record<string, unknown> };
    const extra = Object.keys(given.embedding).filter((key) => key !== "apiKey");
    if (extra.length > 0) throw new Error(`unknown keys: ${extra.join(", ")}`);
    return { embedding: { ...given.embedding, provider: "local" } };
  },
  uiHints: { "embedding.apiKey": { sensitive: true } },
};

export default {
  id: "card-index",
  name: "Card index",
  kind: "memory" as const,
  configSchema,
  register(api: OpenClawPluginApi) {
    const config = configSchema.parse(api.pluginConfig);
    api.registerTool(
      {
        name: "memory_recall",
        label: "Recall",
        description: "Recalls what was noted.",
        parameters: { type: "object", properties: { query: { type: "string" } } },
        execute: async () => ({ content: [], details: config.embedding.provider }),
      } as never,
      { name: "memory_recall" },
    );
    api.on("agent_end", async () => {});
    api.registerService({
      id: "card-index",
      start: () => api.logger.info("started"),
      stop: () => {},
    });
  },
};
