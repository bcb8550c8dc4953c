import type { EmbeddingProvider } from "@openclaw/plugin-sdk/provider-entry";
import { describe, expect, it } from "vitest";
import {
  createDemoProvider,
  createEmbeddingCatalog,
  createLocalEmbeddingProvider,
  embedTexts,
} from "../../src/index.js";

const words = {
  name: "words",
  version: "v3",
  load: async () => ({ dimensions: 4, embed: () => Float32Array.of(0.5, 0.5, 0.5, 0.5) }),
};
const local = createLocalEmbeddingProvider([words]);
const created: string[] = [];
const acme: EmbeddingProvider = {
  id: "acme",
  setup: "set ACME_API_KEY",
  defaultEmbeddingModel: "large",
  embeddingModel(modelId) {
    created.push(modelId);
    if (modelId === "keyless") throw new Error("no key");
    if (modelId === "odd") return { specificationVersion: "v9" } as never;
    return {
      ...{ specificationVersion: "v3", provider: "acme.embedding", modelId },
      ...{ maxEmbeddingsPerCall: 1, doEmbed: async () => ({ embeddings: [[1]] }) },
    };
  },
};
const catalog = createEmbeddingCatalog([createDemoProvider(), local, acme]);

describe("catalog of embedding models", () => {
  it("[LLM-001] finds a model by provider and name, and a provider's default model", async () => {
    const large = { ref: "acme/large", provider: "acme", modelId: "large", isLocal: false };
    expect(await catalog.resolve("acme")).toMatchObject(large);
    expect(await catalog.resolve(" acme/large ")).toMatchObject(large);
    expect(await catalog.resolve("acme/org/small")).toMatchObject({ ref: "acme/org/small" });
    expect(created.filter((modelId) => modelId === "large")).toHaveLength(1);
  });

  it("[MEM-022] names local models with their version, and finds them without it", async () => {
    const versioned = { ref: "local/words-v3", modelId: "words-v3", isLocal: true };
    for (const name of ["local", "words", "words-v3", "local/words", "local/words-v3"]) {
      expect(await catalog.resolve(name), name).toMatchObject(versioned);
    }
    expect(await catalog.resolve("lexical")).toMatchObject({ ref: "local/lexical-v1" });
  });

  it("leaves out providers without embedding models", () => {
    expect(catalog.providers().map(({ id }) => id)).toEqual(["local", "acme"]);
  });

  it.each(["demo", "demo/echo", "other/model", "unknown"])(
    "rejects %s and names models",
    async (name) => {
      await expect(catalog.resolve(name)).rejects.toMatchObject({
        code: "MODEL_NOT_FOUND",
        nearest: expect.arrayContaining(["local/words-v3", "acme/large"]),
      });
    },
  );

  it("rejects an unknown local model, a provider without key and an unknown specification", async () => {
    await expect(catalog.resolve("local/other")).rejects.toMatchObject({ code: "MODEL_NOT_FOUND" });
    await expect(catalog.resolve("acme/keyless")).rejects.toMatchObject({
      code: "MODEL_PROVIDER_NOT_READY",
      message: expect.stringContaining("set ACME_API_KEY"),
    });
    await expect(catalog.resolve("acme/odd")).rejects.toMatchObject({
      code: "MODEL_SPEC_UNSUPPORTED",
    });
  });
});

describe("local models", () => {
  const inspect = () => undefined;

  it("shorten vectors to the requested dimensions, with length 1", async () => {
    const resolved = await catalog.resolve("words");
    const { embeddings } = await embedTexts(resolved, ["a"], { inspect, dimensions: 1 });
    expect(embeddings).toEqual([{ vector: Float32Array.of(1) }]);
    await expect(embedTexts(resolved, ["a"], { inspect, dimensions: 5 })).rejects.toMatchObject({
      code: "EMBEDDING_DIMENSIONS_UNSUPPORTED",
      supported: 4,
    });
  });

  it("[MEM-022] have lexical vectors of 512 dimensions and length 1 for strings that share words or parts of them", async () => {
    const resolved = await catalog.resolve("lexical");
    const texts = [
      "Der Hund läuft",
      "die Hunde laufen",
      "這是一個測試",
      "完全不同的句子",
      "...",
      "Der hund lauft!",
      "測試",
    ];
    const { embeddings, dimensions } = await embedTexts(resolved, texts, { inspect });
    expect(dimensions).toBe(512);
    const [dog, dogs, chinese, other, none, same, trial] = embeddings.map((each) =>
      "vector" in each ? each.vector : new Float32Array(),
    );
    expect(Math.hypot(...(dog ?? []))).toBeCloseTo(1, 5);
    expect(same).toEqual(dog);
    expect(none).toEqual(new Float32Array(512));
    expect(dot(dog, dogs)).toBeGreaterThan(dot(dog, chinese) + 0.2);
    expect(dot(chinese, trial)).toBeGreaterThan(dot(chinese, other) + 0.2);
  });
});

function dot(left: Float32Array = new Float32Array(), right: Float32Array = new Float32Array()) {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
