import { expectTypeOf, it } from "vitest";
import { type DefinedPlugin, defineModelProviderPlugin } from "../../src/provider-entry.js";

it("types the configuration and the settings of a model provider plugin", () => {
  const plugin = defineModelProviderPlugin({
    id: "acme",
    config: {
      apiKey: { type: "string" },
      api: { enum: ["chat", "responses"] },
      retries: { type: "integer", default: 2 },
      local: { type: "object", properties: { baseURL: { type: "string" } } },
    },
    env: { apiKey: "ACME_KEY", "local.baseURL": "ACME_LOCAL_URL" },
    create(settings) {
      expectTypeOf(settings.config.api).toEqualTypeOf<"chat" | "responses" | undefined>();
      expectTypeOf(settings.config.retries).toEqualTypeOf<number | undefined>();
      expectTypeOf(settings.config.local?.baseURL).toEqualTypeOf<string | undefined>();
      settings.find("local.baseURL");
      // @ts-expect-error There is no such setting.
      settings.find("apikey");
      // @ts-expect-error It is not a string.
      settings.require("retries");
      return [];
    },
  });
  expectTypeOf(plugin).toExtend<DefinedPlugin<{ readonly retries?: number }>>();

  defineModelProviderPlugin({
    id: "acme",
    config: { model: { type: "string", default: "small" } },
    // @ts-expect-error The host fills the default in, so the variable would never count.
    env: { model: "ACME_MODEL" },
    create: () => [],
  });
});
