import type { HostRuntime, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { createTestHost, startTestServer } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import plugin from "../src/index.js";

async function embeddingsWith(pluginConfig: object) {
  let runtime: HostRuntime | undefined;
  const register = (api: OpenClawPluginApi) => {
    runtime = api.runtime;
  };
  const host = await createTestHost({
    plugin,
    pluginConfig,
    neighbours: [{ id: "reader", register }],
  });
  onTestFinished(() => host.dispose());
  const embeddings = runtime?.embeddings;
  if (embeddings === undefined) throw new Error("the host has no embeddings");
  return embeddings;
}

/** Serves vectors of the requested length, as the Gemini API does. */
async function geminiEmbeddings() {
  const server = await startTestServer(({ headers, path, body }) => {
    if (headers["x-goog-api-key"] !== "key-1") return { status: 401, body: "{}" };
    const requests = path.endsWith(":batchEmbedContents") ? requestsOf(body) : [body];
    const vectors = requests.map((each) => ({ values: vectorOf(each) }));
    const answer = path.endsWith(":embedContent")
      ? { embedding: vectors[0] }
      : { embeddings: vectors };
    return { body: JSON.stringify(answer) };
  });
  onTestFinished(() => server.close());
  return server;
}

function requestsOf(body: unknown): readonly unknown[] {
  const { requests } = body as { readonly requests: readonly unknown[] };
  return requests;
}

function vectorOf(request: unknown): number[] {
  const { outputDimensionality = 3072 } = request as { readonly outputDimensionality?: number };
  return Array.from({ length: outputDimensionality }, (_, index) => (index === 0 ? 1 : 0));
}

it("[MEM-021] embeds strings with Gemini, by default as vectors of 768 numbers", async () => {
  const server = await geminiEmbeddings();
  const baseURL = `${server.origin}/v1beta`;
  const embeddings = await embeddingsWith({ baseURL, apiKey: "key-1" });
  for (const texts of [["abc"], ["abc", "def"]]) {
    const answer = await embeddings.embed({ texts, model: "google" });
    expect(answer).toMatchObject({ model: "google/gemini-embedding-001", dimensions: 768 });
    expect(answer.embeddings).toHaveLength(texts.length);
  }
  const long = await embeddings.embed({ texts: ["abc"], model: "google", dimensions: 1536 });
  expect(long.dimensions).toBe(1536);
  expect(server.requests.map(({ path }) => path)).toEqual([
    "/v1beta/models/gemini-embedding-001:embedContent",
    "/v1beta/models/gemini-embedding-001:batchEmbedContents",
    "/v1beta/models/gemini-embedding-001:embedContent",
  ]);
});
