import { defineProvider, type ModelProvider } from "@openclaw/plugin-sdk";
import type { EmbeddingModel } from "@openclaw/plugin-sdk/provider-entry";
import { describe, expect, it } from "vitest";
import {
  createDemoProvider,
  createEmbeddingCatalog,
  createModelCatalog,
  createScriptedModel,
  InvalidModelProviderError,
  ModelNotFoundError,
  ModelProviderFailedError,
  ModelProviderNotReadyError,
  ModelTable,
  UnsupportedModelSpecError,
} from "../../src/index.js";
import { events, failure } from "../support/collect.js";

function provider(id: string, overrides: Partial<ModelProvider> = {}): ModelProvider {
  return defineProvider({
    id,
    defaultModel: "standard",
    paid: true,
    setup: `set ${id.toUpperCase()}_API_KEY`,
    credential: { source: `${id.toUpperCase()}_API_KEY` },
    languageModel: (modelId) =>
      createScriptedModel([{ text: modelId }], { provider: `${id}.chat`, modelId }),
    ...overrides,
  });
}

async function thrown(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("createModelCatalog", () => {
  it.each([
    ["openai/gpt-4o", "openai/gpt-4o"],
    ["openai", "openai/standard"],
    ["openai/", "openai/standard"],
    [" OpenAI/gpt-4o ", "openai/gpt-4o"],
    ["gpt-4o", "openai/gpt-4o"],
    ["openrouter/meta/llama-3", "openrouter/meta/llama-3"],
    ["demo", "demo/echo"],
    ["demo/echo", "demo/echo"],
  ])("resolves %j to %s", async (ref, full) => {
    const catalog = createModelCatalog([
      createDemoProvider(),
      provider("openrouter"),
      provider("openai"),
    ]);
    const resolved = await catalog.resolve(ref);
    expect(resolved.ref).toBe(full);
    expect(`${resolved.provider}/${resolved.modelId}`).toBe(full);
    expect(resolved.paid).toBe(!full.startsWith("demo"));
  });

  it("[LLM-001] uses all that a provider registers, and a bare name for the default provider", async () => {
    const embedding: EmbeddingModel = {
      specificationVersion: "v4",
      ...{ provider: "acme", modelId: "vectors", maxEmbeddingsPerCall: 8 },
      doEmbed: async () => ({ embeddings: [[1, 2]] }),
    };
    const acme = provider("acme", {
      defaultEmbeddingModel: "vectors",
      embeddingModel: () => embedding,
      listModels: () => ["standard", "large"],
      pricing: (modelId) => (modelId === "large" ? { input: "3", output: "15" } : undefined),
    });
    const unready = { ...provider("openai"), credential: undefined };
    const catalog = createModelCatalog([unready, acme, createDemoProvider()]);
    const large = await catalog.resolve("large");
    expect(large).toMatchObject({ ref: "acme/large", provider: "acme", modelId: "large" });
    expect(await events(large.model)).toContainEqual({ type: "text", delta: "large" });
    const table = new ModelTable();
    expect(table.priceOf(large)).toEqual({
      ...{ price: { input: "3", output: "15" }, isEstimated: false },
    });
    expect(table.priceOf(await catalog.resolve("acme"))).toMatchObject({ isEstimated: true });
    const known = { "acme/large": { price: { input: "1", output: "2" } } };
    expect(new ModelTable(known).priceOf(large).price.input).toBe("1");
    expect(await catalog.providers()[1]?.listModels?.()).toEqual(["standard", "large"]);
    expect(await createEmbeddingCatalog(catalog.providers()).resolve("acme")).toMatchObject({
      ref: "acme/vectors",
      model: embedding,
      paid: true,
    });
  });

  it.each(["cheap", "-1", "0.0000001", 3])("rejects %j as a price", async (price) => {
    const stated = { input: "1", output: price as string };
    const catalog = createModelCatalog([provider("acme", { pricing: () => stated })]);
    const error = await thrown(catalog.resolve("acme"));
    expect(error).toBeInstanceOf(InvalidModelProviderError);
    expect(String(error)).toContain('the price "output" of model standard');
  });

  it("gives models the registered names, which errors and transcripts use", async () => {
    const failing = () =>
      createScriptedModel([{ error: { status: 500, message: "x" } }], {
        provider: "openai.responses",
      });
    const catalog = createModelCatalog([provider("openai", { languageModel: failing })]);
    const { model } = await catalog.resolve("openai/gpt-4o");
    const { error } = await failure(model);
    expect(error).toMatchObject({ provider: "openai", model: "gpt-4o" });
  });

  it("calls the provider's model, later also for doGenerate", async () => {
    const catalog = createModelCatalog([
      provider("openai", {
        languageModel: async () => createScriptedModel(() => ({ text: "yes" })),
      }),
    ]);
    const { model } = await catalog.resolve("openai");
    expect(await events(model)).toContainEqual({ type: "text", delta: "yes" });
    expect(model.supportedUrls).toEqual({});
    await expect(model.doGenerate({ prompt: [] })).resolves.toMatchObject({
      content: [{ type: "text", text: "yes" }],
    });
  });

  it("names the nearest models and the setup of their provider", async () => {
    const openai = provider("openai", { credential: undefined });
    const catalog = createModelCatalog([createDemoProvider(), openai, provider("anthropic")]);
    const error = await thrown(catalog.resolve("opnai/gpt-4o"));
    expect(ModelNotFoundError.isInstance(error) && error.nearest).toContain("openai/gpt-4o");
    expect(error).toHaveProperty(
      "message",
      'model "opnai/gpt-4o" not found: provider "opnai" not found; did you mean ' +
        '"openai/gpt-4o"? To use openai: set OPENAI_API_KEY.',
    );
  });

  it("lists the known models when no name is near", async () => {
    const catalog = createModelCatalog([createDemoProvider(), provider("anthropic")]);
    const error = await thrown(catalog.resolve("zzzzzzzz/y"));
    expect(error).toHaveProperty(
      "message",
      'model "zzzzzzzz/y" not found: provider "zzzzzzzz" not found. ' +
        "Known: anthropic/standard, demo/echo.",
    );
  });

  it("does not resolve a plain model name to the demo model", async () => {
    const catalog = createModelCatalog([createDemoProvider()]);
    expect(await thrown(catalog.resolve("gpt-4o"))).toBeInstanceOf(ModelNotFoundError);
    expect((await catalog.resolve("echo")).ref).toBe("demo/echo");
  });

  it("rejects an empty name, an unknown demo model, and a provider without a default", async () => {
    const bare = provider("local", { defaultModel: "", setup: "set LLM_MODEL" });
    const catalog = createModelCatalog([createDemoProvider(), bare]);
    expect(await thrown(catalog.resolve(" "))).toBeInstanceOf(ModelNotFoundError);
    expect(await thrown(catalog.resolve("demo/eco"))).toHaveProperty("nearest", ["demo/echo"]);
    expect(await thrown(catalog.resolve("local"))).toHaveProperty(
      "message",
      expect.stringContaining("Name one as local/<model>, or: set LLM_MODEL."),
    );
  });

  it("explains the setup of a provider that is not set up", async () => {
    const catalog = createModelCatalog([
      provider("openai", {
        credential: undefined,
        languageModel() {
          throw new Error("no key");
        },
      }),
    ]);
    const error = await thrown(catalog.resolve("openai/gpt-4o"));
    expect(error).toBeInstanceOf(ModelProviderNotReadyError);
    expect(error).toHaveProperty(
      "message",
      'model "openai/gpt-4o" is not available: provider "openai" is not set up; set OPENAI_API_KEY',
    );
  });

  it("keeps the cause when a provider with a credential fails", async () => {
    const cause = new Error("cannot find module");
    const languageModel = () => Promise.reject(cause);
    const catalog = createModelCatalog([provider("openai", { languageModel })]);
    const error = await thrown(catalog.resolve("openai/gpt-4o"));
    expect(error).toBeInstanceOf(ModelProviderFailedError);
    expect(error).toHaveProperty("cause", cause);
    expect(error).toHaveProperty("message", expect.stringContaining("cannot find module"));
  });

  it("rejects a model of an unknown specification by its version", async () => {
    const old: unknown = { specificationVersion: "v1", provider: "openai", modelId: "m" };
    const languageModel = () => old as ReturnType<ModelProvider["languageModel"]>;
    const catalog = createModelCatalog([provider("openai", { languageModel })]);
    const error = await thrown(catalog.resolve("openai/m"));
    expect(UnsupportedModelSpecError.isInstance(error) && error.specificationVersion).toBe("v1");
  });

  it.each(["OpenAI", "a/b", "", " x"])("rejects the provider id %j", (id) => {
    expect(() => createModelCatalog([provider(id)])).toThrow(InvalidModelProviderError);
  });

  it("[LLM-041] asks a provider once for each of its models, also when two turns begin at once", async () => {
    const asked: string[] = [];
    const languageModel = (modelId: string) => {
      asked.push(modelId);
      return createScriptedModel([{ text: modelId }], { provider: "openai.chat", modelId });
    };
    const catalog = createModelCatalog([provider("openai", { languageModel })]);
    const [first, second] = await Promise.all([
      catalog.resolve("openai/a"),
      catalog.resolve("openai/a"),
    ]);
    expect(second.model).toBe(first.model);
    expect((await catalog.resolve("openai/b")).model).not.toBe(first.model);
    expect((await catalog.resolve("openai/a")).model).toBe(first.model);
    expect(asked).toEqual(["a", "b"]);
  });

  it("[LLM-041] asks again after an error, and a provider that replaces another", async () => {
    let asked = 0;
    const languageModel = (modelId: string) => {
      asked += 1;
      if (asked === 1) throw new Error("not yet");
      return createScriptedModel([{ text: modelId }], { provider: "openai.chat", modelId });
    };
    const catalog = createModelCatalog();
    const unregister = catalog.register(provider("openai", { languageModel }));
    await expect(catalog.resolve("openai")).rejects.toBeInstanceOf(ModelProviderFailedError);
    const before = await catalog.resolve("openai");
    expect(asked).toBe(2);
    unregister();
    catalog.register(provider("openai", { languageModel }));
    expect((await catalog.resolve("openai")).model).not.toBe(before.model);
    expect(asked).toBe(3);
  });

  it("[LLM-041] keeps a limited number of the models that callers name", async () => {
    const asked: string[] = [];
    const languageModel = (modelId: string) => {
      asked.push(modelId);
      return createScriptedModel([{ text: modelId }], { provider: "openai.chat", modelId });
    };
    const catalog = createModelCatalog([provider("openai", { languageModel })]);
    for (let model = 0; model < 33; model += 1) await catalog.resolve(`openai/${model}`);
    await catalog.resolve("openai/32");
    expect(asked).toHaveLength(33);
    await catalog.resolve("openai/0");
    expect(asked).toHaveLength(34);
  });

  it("rejects a duplicate ID until the first is unregistered", () => {
    const catalog = createModelCatalog();
    const unregister = catalog.register(provider("openai"));
    expect(() => catalog.register(provider("openai"))).toThrow(/another provider has this id/);
    unregister();
    const second = provider("openai");
    catalog.register(second);
    unregister();
    expect(catalog.providers()).toEqual([second]);
  });

  it("unregisters a provider at the end of a scope", () => {
    const catalog = createModelCatalog();
    {
      using _registration = catalog.register(provider("openai"));
      expect(catalog.providers()).toHaveLength(1);
    }
    expect(catalog.providers()).toHaveLength(0);
  });
});
