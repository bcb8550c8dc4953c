import type { EmbeddingModel, EmbeddingProvider } from "@openclaw/plugin-sdk/provider-entry";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { createEmbeddingPort } from "../../../src/host/embeddings/client-port.js";
import { createTestHost, embeddingsOf, serve, TOKEN } from "../../support/host.js";

const AWS_KEY = "AKIAIOSFODNN7EXAMPLE";

/** Body of a response: vectors in base64, or an error. */
interface Answer {
  readonly model?: string;
  readonly data?: readonly { readonly embedding: string }[];
  readonly error?: {
    readonly code: string;
    readonly param: string | null;
    readonly message: string;
  };
}

/** Provider whose vectors are the lengths of the strings. */
function acme(received: string[], failure?: Error): EmbeddingProvider {
  const model = {
    ...{ specificationVersion: "v4", provider: "acme", modelId: "large" },
    maxEmbeddingsPerCall: undefined,
    async doEmbed({ values }: { values: string[] }) {
      if (failure !== undefined) throw failure;
      received.push(...values);
      return { embeddings: values.map((text) => [text.length, 0]), usage: { tokens: 7 } };
    },
  } as EmbeddingModel;
  return {
    ...{ id: "acme", setup: "set ACME_API_KEY", credential: { source: "ACME_API_KEY" } },
    ...{ defaultEmbeddingModel: "large", embeddingModel: () => model },
  };
}

async function serveEmbeddings(options: Parameters<typeof embeddingsOf>[1] = {}) {
  const host = await createTestHost();
  const embeddings = createEmbeddingPort(embeddingsOf(host, options));
  const { url, headers } = await serve(host, { embeddings });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: TOKEN, maxRetries: 0 });
  const post = async (body: object) => {
    const response = await fetch(`${url}/v1/embeddings`, {
      ...{ method: "POST", headers, body: JSON.stringify({ model: "openclaw", ...body }) },
    });
    const answer = (await response.json()) as Answer;
    return { status: response.status, body: answer, headers: response.headers };
  };
  return { client, post };
}

it("[LLM-030] [LLM-031] counts requests for vectors in cost and budgets, except those of local models", async () => {
  const received: string[] = [];
  const host = await createTestHost();
  const budgets = { host: { maxActionsPerHour: 2 } };
  const embeddings = embeddingsOf(host, { providers: [acme(received)], budgets });
  const texts = Array.from({ length: 65 }, (_, index) => `text ${index}`);
  expect(await embeddings.embed({ texts, model: "acme/large" })).toMatchObject({ tokens: 14 });
  const sums = () => host.store.spending.sums({ from: 0, to: Date.now() * 2, groupBy: "model" });
  const counted = { key: "acme/large", calls: 2, input: 14, output: 0, estimatedCalls: 2 };
  expect(await sums()).toMatchObject([{ ...counted, cost: 35_000_000n }]);
  await expect(embeddings.embed({ texts: ["more"], model: "acme/large" })).rejects.toMatchObject({
    code: "MODEL_BUDGET_EXHAUSTED",
    message: expect.stringContaining("models.budget.maxActionsPerHour"),
  });
  expect(received).toHaveLength(65);
  await embeddings.embed({ texts: ["free"], model: "local" });
  expect(await sums()).toMatchObject([counted]);
});

it("releases the reservation of a request that failed", async () => {
  const budgets = { host: { maxActionsPerHour: 1 } };
  const host = await createTestHost();
  const broken = acme([], new Error("no connection"));
  const task = { texts: ["a"], model: "acme" };
  await expect(
    embeddingsOf(host, { providers: [broken], budgets }).embed(task),
  ).rejects.toMatchObject({
    code: "MODEL_REQUEST_FAILED",
  });
  expect(await embeddingsOf(host, { providers: [acme([])], budgets }).embed(task)).toMatchObject({
    dimensions: 2,
  });
});

describe("POST /v1/embeddings", () => {
  it("[GW-095] [MEM-022] serves the OpenAI client with the local model, without a key", async () => {
    const { client } = await serveEmbeddings();
    const input = ["our cat eats only fish", "what food does the pet like", "pay the invoice"];
    // Without `encoding_format` the client asks for base64 and decodes it.
    const decoded = await client.embeddings.create({ model: "openclaw", input });
    expect(decoded.model).toBe("local/embeddings-en-v2");
    expect(decoded.usage.prompt_tokens).toBe(14);
    expect(decoded.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    const [cat, pet, invoice] = decoded.data.map(({ embedding }) => embedding);
    expect(cat).toHaveLength(228);
    expect(dot(cat, pet)).toBeGreaterThan(dot(cat, invoice) + 0.2);
    const { data } = await client.embeddings.create({
      ...{ model: "local/embeddings-en-v2", input, encoding_format: "float" },
    });
    expect(data.map(({ embedding }) => embedding)).toEqual([cat, pet, invoice]);
  });

  it("[GW-095] returns base64, floats, and vectors of the requested dimensions", async () => {
    const { client, post } = await serveEmbeddings();
    const { body } = await post({ input: "hello", encoding_format: "base64", model: "lexical" });
    const bytes = Buffer.from(body.data?.[0]?.embedding ?? "", "base64");
    expect(bytes).toHaveLength(512 * 4);
    const whole = Array.from({ length: 512 }, (_, index) => bytes.readFloatLE(index * 4));
    expect(Math.hypot(...whole)).toBeCloseTo(1, 5);
    const short = await client.embeddings.create({
      ...{ model: "openclaw", input: "hello", dimensions: 64, encoding_format: "float" },
    });
    expect(short.data[0]?.embedding).toHaveLength(64);
    expect(Math.hypot(...(short.data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
  });

  it("[MEM-021] uses the configured provider and model", async () => {
    const providers = [acme([])];
    const model = async (options: Parameters<typeof embeddingsOf>[1]) => {
      const { post } = await serveEmbeddings({ providers, ...options });
      const { body } = await post({ input: "x" });
      return body.model ?? body.error?.code;
    };
    const environment = { EMBEDDING_PROVIDER: "acme", EMBEDDING_MODEL: "small" };
    expect(await model({ section: { provider: "acme" } })).toBe("acme/large");
    expect(await model({ section: { model: "acme/large" } })).toBe("acme/large");
    expect(await model({ section: { model: "lexical" } })).toBe("local/lexical-v1");
    expect(await model({ environment: { EMBEDDING_PROVIDER: "acme" } })).toBe("acme/large");
    expect(
      await model({
        section: { model: "local/lexical" },
        environment: { EMBEDDING_PROVIDER: "acme" },
      }),
    ).toBe("acme/large");
    expect(await model({ environment })).toBe("acme/large");
    expect(await model({ environment: { EMBEDDING_ENABLED: "false" } })).toBe(
      "embeddings_disabled",
    );
  });

  it("[MEM-024] does not send a text with a secret to a provider, and names it", async () => {
    const received: string[] = [];
    const { post } = await serveEmbeddings({ providers: [acme(received)] });
    const input = ["fine", `aws_access_key_id = ${AWS_KEY}`];
    const blocked = await post({ input, model: "acme" });
    expect(blocked.status).toBe(403);
    expect(blocked.body.error).toMatchObject({ code: "input_blocked", param: "input[1]" });
    expect(JSON.stringify(blocked.body)).not.toContain(AWS_KEY);
    expect(received).toEqual(["fine"]);
    expect((await post({ input, model: "local" })).status).toBe(200);
  });

  it("[GW-095] rejects requests that it cannot fulfil, and names the parameter", async () => {
    const { post } = await serveEmbeddings();
    const tooMany = Array.from({ length: 2049 }, () => "a");
    for (const [body, code, param] of [
      [{ input: "" }, "invalid_request", "input"],
      [{ input: [] }, "invalid_request", "input"],
      [{ input: ["a", ""] }, "invalid_request", "input[1]"],
      [{}, "invalid_request", null],
      [{ input: tooMany }, "invalid_request", "input"],
      [{ input: [1, 2, 3] }, "unsupported_input", "input"],
      [{ input: [[1, 2], [3]] }, "unsupported_input", "input"],
      [{ input: "a", dimensions: 0 }, "invalid_request", "dimensions"],
      [{ input: "a", dimensions: 4096 }, "embedding_dimensions_unsupported", "dimensions"],
      [{ input: "a", truncate: true }, "unsupported_parameter", "truncate"],
    ] as const) {
      const response = await post(body);
      expect(response.status, code).toBe(400);
      expect(response.body.error).toMatchObject({ code, param });
    }
  });

  it("answers with the failure of the provider", async () => {
    const limited = Object.assign(new Error("slow down"), {
      ...{ name: "AI_APICallError", statusCode: 429, responseHeaders: { "retry-after": "3" } },
    });
    const { post } = await serveEmbeddings({ providers: [acme([], limited)] });
    const busy = await post({ input: "a", model: "acme" });
    expect(busy.status).toBe(429);
    expect(busy.headers.get("retry-after")).toBe("3");
    expect(busy.headers.get("x-should-retry")).toBe("true");
    const missing = await post({ input: "a", model: "text-embedding-3-small" });
    expect(missing.status).toBe(404);
    expect(missing.body.error?.message).toContain("local/embeddings-en-v2");
  });
});

function dot(left: readonly number[] = [], right: readonly number[] = []): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
