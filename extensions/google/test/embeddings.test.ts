import { startGeminiServer } from "@openclaw/platform-fakes";
import type { HostRuntime, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import plugin from "../src/index.js";

/** Creates a host with the plugin, and returns its embeddings as plugins use them. */
async function embeddingsWith(apiKey: string) {
  const server = await startGeminiServer([], { apiKey: "key-1" });
  onTestFinished(() => server.close());
  let runtime: HostRuntime | undefined;
  const register = (api: OpenClawPluginApi) => {
    runtime = api.runtime;
  };
  const host = await createTestHost({
    plugin,
    pluginConfig: { apiKey, baseURL: server.baseURL },
    config: { embeddings: { provider: "gemini" } },
    neighbours: [{ id: "reader", register }],
  });
  onTestFinished(() => host.dispose());
  const embeddings = runtime?.embeddings;
  if (embeddings === undefined) throw new Error("the host has no embeddings");
  return { embeddings, server };
}

it("[MEM-021] embeds strings with gemini in 768 dimensions, in requests of at most 64", async () => {
  const { embeddings, server } = await embeddingsWith("key-1");
  const texts = Array.from({ length: 65 }, (_, index) => "x".repeat(index + 1));
  const answer = await embeddings.embed({ texts });
  expect(answer).toMatchObject({ model: "google/gemini-embedding-001", dimensions: 768 });
  expect(answer.embeddings).toHaveLength(65);
  for (const each of answer.embeddings) {
    const vector = "vector" in each ? each.vector : new Float32Array();
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  }
  const path = "/v1beta/models/gemini-embedding-001";
  expect(server.requests).toMatchObject([
    { path: `${path}:batchEmbedContents`, body: { requests: { length: 64 } } },
    { path: `${path}:embedContent`, body: { outputDimensionality: 768 } },
  ]);
});

it("sends the requested number of dimensions", async () => {
  const { embeddings, server } = await embeddingsWith("key-1");
  expect(await embeddings.embed({ texts: ["a"], dimensions: 3072 })).toMatchObject({
    dimensions: 3072,
  });
  expect(server.requests[0]?.body).toMatchObject({ outputDimensionality: 3072 });
});

it("reports a wrong key after one request", async () => {
  const { embeddings, server } = await embeddingsWith("key-2");
  await expect(embeddings.embed({ texts: ["a"] })).rejects.toMatchObject({
    code: "MODEL_AUTHENTICATION_FAILED",
  });
  expect(server.requests).toHaveLength(1);
});
