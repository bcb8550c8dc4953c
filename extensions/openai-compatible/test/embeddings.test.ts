import { startEmbeddingServer } from "@openclaw/platform-fakes";
import type { HostRuntime, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { createTestHost } from "@openclaw/plugin-testkit";
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

it("[MEM-021] embeds strings with any OpenAI-compatible server", async () => {
  const server = await startEmbeddingServer({ apiKey: "key-1", dimensions: 4 });
  onTestFinished(() => server.close());
  const embeddings = await embeddingsWith({
    baseURL: `${server.origin}/v1`,
    apiKey: "key-1",
  });
  const answer = await embeddings.embed({ texts: ["abc"], model: "openai-compatible/bge-small" });
  expect(answer).toMatchObject({ model: "openai-compatible/bge-small", dimensions: 4, tokens: 1 });
  expect(server.requests[0]?.body).toMatchObject({ model: "bge-small", input: ["abc"] });
  await expect(embeddings.model("openai-compatible")).rejects.toMatchObject({
    code: "MODEL_NOT_FOUND",
    message: expect.stringContaining("embeddings.model"),
  });
});
