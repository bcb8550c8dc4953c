import { startEmbeddingServer } from "@openclaw/platform-fakes";
import type { HostRuntime, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import plugin from "../src/index.js";

/** Creates a host with the plugin, and returns its embeddings as plugins use them. */
async function embeddingsWith(apiKey: string) {
  const server = await startEmbeddingServer({ apiKey: "key-1", dimensions: 1536 });
  onTestFinished(() => server.close());
  let runtime: HostRuntime | undefined;
  const register = (api: OpenClawPluginApi) => {
    runtime = api.runtime;
  };
  const host = await createTestHost({
    plugin,
    pluginConfig: { apiKey, baseURL: `${server.origin}/v1` },
    config: { embeddings: { provider: "openai" } },
    neighbours: [{ id: "reader", register }],
  });
  onTestFinished(() => host.dispose());
  const embeddings = runtime?.embeddings;
  if (embeddings === undefined) throw new Error("the host has no embeddings");
  return { embeddings, server };
}

it("[MEM-021] embeds strings with text-embedding-3-small, in requests of at most 64", async () => {
  const { embeddings, server } = await embeddingsWith("key-1");
  expect(await embeddings.model()).toEqual({
    model: "openai/text-embedding-3-small",
    isLocal: false,
  });
  const texts = Array.from({ length: 65 }, (_, index) => "x".repeat(index + 1));
  const answer = await embeddings.embed({ texts });
  expect(answer).toMatchObject({ dimensions: 1536, tokens: 65 });
  expect(answer.embeddings.map((each) => "vector" in each && each.vector[0])).toEqual(
    texts.map(({ length }) => length),
  );
  expect(server.requests.map(({ path, body }) => ({ path, body }))).toMatchObject([
    { path: "/v1/embeddings", body: { model: "text-embedding-3-small", input: { length: 64 } } },
    { path: "/v1/embeddings", body: { input: ["x".repeat(65)] } },
  ]);
  const short = await embeddings.embed({
    ...{ texts: ["a"], model: "openai/text-embedding-3-large", dimensions: 256 },
  });
  expect(short).toMatchObject({ model: "openai/text-embedding-3-large", dimensions: 256 });
});

it("[MEM-024] does not send a text with a secret", async () => {
  const { embeddings, server } = await embeddingsWith("key-1");
  const answer = await embeddings.embed({ texts: ["AKIAIOSFODNN7EXAMPLE", "fine"] });
  expect(answer.embeddings).toEqual([
    { blocked: expect.stringContaining("secret") },
    { vector: expect.any(Float32Array) },
  ]);
  expect(server.requests.map(({ body }) => body)).toMatchObject([{ input: ["fine"] }]);
});

it("reports a wrong key after one request", async () => {
  const { embeddings, server } = await embeddingsWith("key-2");
  await expect(embeddings.embed({ texts: ["a"] })).rejects.toMatchObject({
    code: "MODEL_AUTHENTICATION_FAILED",
  });
  expect(server.requests).toHaveLength(1);
});
