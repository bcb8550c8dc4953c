import { errorMessage } from "@openclaw/foundation";
import type { EmbeddingModel, EmbeddingProvider } from "@openclaw/plugin-sdk/provider-entry";
import { describe, expect, it } from "vitest";
import {
  createEmbeddingCatalog,
  createLocalEmbeddingProvider,
  embedTexts,
} from "../../src/index.js";

const inspect = () => undefined;

interface Call {
  readonly values: readonly string[];
  readonly abortSignal: AbortSignal;
  readonly dimensions?: number;
}

/** Creates a provider whose model returns the length of each text, and records the calls. */
function provider(answer: (call: Call) => unknown = lengths, most: number | undefined = undefined) {
  const calls: Call[] = [];
  const model = {
    specificationVersion: "v4",
    provider: "acme.embedding",
    modelId: "large",
    maxEmbeddingsPerCall: most,
    async doEmbed(call: Call) {
      calls.push(call);
      return answer(call);
    },
  } as EmbeddingModel;
  const acme: EmbeddingProvider = {
    id: "acme",
    setup: "set ACME_API_KEY",
    credential: { source: "ACME_API_KEY" },
    defaultEmbeddingModel: "large",
    embeddingModel: () => model,
  };
  return { calls, resolve: () => createEmbeddingCatalog([acme]).resolve("acme") };
}

function lengths({ values }: Call) {
  return { embeddings: values.map((text) => [text.length, 1]), usage: { tokens: values.length } };
}

describe("requests for vectors", () => {
  it("[MEM-024] contain at most 64 strings, and fewer when the model takes fewer", async () => {
    const texts = Array.from({ length: 130 }, (_, index) => "x".repeat(index));
    const { calls, resolve } = provider();
    const { model, embeddings, tokens, dimensions } = await embedTexts(await resolve(), texts, {
      inspect,
    });
    expect(calls.map(({ values }) => values.length)).toEqual([64, 64, 2]);
    expect({ model, tokens, dimensions }).toEqual({
      model: "acme/large",
      tokens: 130,
      dimensions: 2,
    });
    expect(embeddings.map((each) => "vector" in each && each.vector[0])).toEqual(
      texts.map(({ length }) => length),
    );
    const small = provider(lengths, 50);
    await embedTexts(await small.resolve(), texts, { inspect });
    expect(small.calls.map(({ values }) => values.length)).toEqual([50, 50, 30]);
  });

  it("[MEM-024] leave out the strings that the check blocks, and say why", async () => {
    const { calls, resolve } = provider();
    const check = (text: string) => (text.includes("secret") ? "it has a secret" : undefined);
    const texts = ["one", "a secret", "three"];
    const { embeddings } = await embedTexts(await resolve(), texts, { inspect: check });
    expect(calls.map(({ values }) => values)).toEqual([["one", "three"]]);
    expect(embeddings).toEqual([
      { vector: Float32Array.of(3, 1) },
      { blocked: "it has a secret" },
      { vector: Float32Array.of(5, 1) },
    ]);
  });

  it("are not sent without a text to send", async () => {
    const { calls, resolve } = provider();
    const blocked = await embedTexts(await resolve(), ["a"], { inspect: () => "no" });
    expect(blocked).toMatchObject({ dimensions: 0, embeddings: [{ blocked: "no" }] });
    expect(await embedTexts(await resolve(), [], { inspect })).toMatchObject({ embeddings: [] });
    expect(calls).toEqual([]);
  });

  it.each([
    ["too few vectors", () => ({ embeddings: [[1]] }), "1 vectors for 2 texts"],
    ["no vectors", () => ({}), "no vectors for 2 texts"],
    ["vectors of different lengths", () => ({ embeddings: [[1], [1, 2]] }), "a vector of 2 values"],
    ["empty vectors", () => ({ embeddings: [[], []] }), "a vector of 0 values"],
    ["values that are not numbers", () => ({ embeddings: [[1], [Number.NaN]] }), "is not a number"],
  ])("fail on %s", async (_, answer, problem) => {
    const { resolve } = provider(answer);
    const failure = await embedTexts(await resolve(), ["a", "b"], { inspect }).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: "MODEL_INVALID_RESPONSE" });
    expect(errorMessage(failure)).toContain(problem);
  });

  it("fail when the model ignores the requested dimensions, after one request", async () => {
    const { calls, resolve } = provider();
    const texts = Array.from({ length: 100 }, () => "text");
    await expect(
      embedTexts(await resolve(), texts, { inspect, dimensions: 3 }),
    ).rejects.toMatchObject({
      code: "EMBEDDING_DIMENSIONS_UNSUPPORTED",
      requested: 3,
      supported: 2,
    });
    expect(calls.map(({ dimensions }) => dimensions)).toEqual([3]);
  });

  it("end with the signal or the timeout, also of a provider that ignores them", async () => {
    const { resolve } = provider(() => new Promise(() => {}));
    const stop = new AbortController();
    const pending = embedTexts(await resolve(), ["a"], { inspect, signal: stop.signal });
    stop.abort();
    await expect(pending).rejects.toMatchObject({ code: "MODEL_ABORTED" });
    await expect(
      embedTexts(await resolve(), ["a"], { inspect, timeoutMs: 1 }),
    ).rejects.toMatchObject({ code: "MODEL_TIMEOUT" });
  });

  it("have the error class of the failure, and are not repeated", async () => {
    const { calls, resolve } = provider(() => {
      throw Object.assign(new Error("invalid key"), { name: "AI_APICallError", statusCode: 401 });
    });
    await expect(embedTexts(await resolve(), ["a"], { inspect })).rejects.toMatchObject({
      code: "MODEL_AUTHENTICATION_FAILED",
    });
    expect(calls).toHaveLength(1);
  });

  it("do not check strings of local models, which do not leave the host", async () => {
    const local = await createEmbeddingCatalog([createLocalEmbeddingProvider()]).resolve("lexical");
    const { embeddings } = await embedTexts(local, ["a secret"], { inspect: () => "blocked" });
    expect(embeddings).toEqual([{ vector: expect.any(Float32Array) }]);
  });
});
