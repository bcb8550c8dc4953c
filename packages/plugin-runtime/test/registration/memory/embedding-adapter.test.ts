import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { MemoryEmbeddingProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { adaptedEmbeddingProviders } from "../../../src/index.js";
import { createTestHost, plugin } from "../../support/host.js";

async function providersOf(register: (api: OpenClawPluginApi) => void) {
  const { runtime } = createTestHost([plugin(register)]);
  const { memory, diagnostics } = await runtime.load();
  return { providers: adaptedEmbeddingProviders(memory), diagnostics };
}

async function embed(adapter: MemoryEmbeddingProvider, values: readonly string[]) {
  const { providers } = await providersOf((api) => api.registerEmbeddingProvider(adapter));
  const model = await providers[0]?.embeddingModel("small");
  return await model?.doEmbed({ values } as never);
}

const length = (text: string) => [text.length, 1];

describe("embedding providers of older plugins", () => {
  it("[PLUG-056] [MEM-054] are providers of embedding models", async () => {
    const asked: unknown[] = [];
    const adapter = {
      id: "hash",
      defaultModel: "small",
      transport: "local",
      create(options: object) {
        asked.push({ of: this.id, ...options });
        const embedBatch = async (texts: string[]) => texts.map(length);
        return { provider: { id: "hash", model: "small-2", embedBatch } };
      },
    };
    const { providers, diagnostics } = await providersOf((api) =>
      api.registerMemoryEmbeddingProvider(adapter),
    );
    expect(diagnostics.filter(({ code }) => code === "accepted-not-used")).toEqual([]);
    const [provider] = providers;
    expect(provider).toMatchObject({ id: "hash", paid: false, defaultEmbeddingModel: "small" });
    const model = await provider?.embeddingModel("small");
    expect(model).toMatchObject({ specificationVersion: "v4", modelId: "small-2" });
    expect(asked).toEqual([
      {
        ...{ of: "hash", provider: "hash", model: "small", fallback: "none" },
        config: expect.any(Object),
      },
    ]);
    expect(await model?.doEmbed({ values: ["a", "bcd"] } as never)).toEqual({
      embeddings: [
        [1, 1],
        [3, 1],
      ],
    });
  });

  it.each(["embedQuery", "embed"])(
    "[MEM-054] may embed one text at a time with %s",
    async (name) => {
      const create = () => ({ provider: { [name]: async (text: string) => length(text) } });
      expect(await embed({ id: "hash", create }, ["ab"])).toEqual({ embeddings: [[2, 1]] });
    },
  );

  it("without a function that creates models are reported", async () => {
    const { providers, diagnostics } = await providersOf((api) =>
      api.registerMemoryEmbeddingProvider({ id: "hash" }),
    );
    expect(providers).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain("accepted-not-used");
  });

  it.each<[string, unknown, string]>([
    ["no provider", { provider: null }, "created no provider"],
    ["a provider without a function", { provider: {} }, "expected a function embedQuery"],
    ["another value", { provider: { embedBatch: () => "x" } }, "a list of vectors"],
    ["other vectors", { provider: { embedBatch: () => ["x"] } }, "a list of vectors"],
  ])("fail for %s", async (_what, made, message) => {
    await expect(embed({ id: "hash", create: () => made }, ["a"])).rejects.toThrow(message);
  });
});
