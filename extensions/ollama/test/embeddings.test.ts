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

it("[MEM-021] embeds strings with Ollama, without a key", async () => {
  const server = await startEmbeddingServer({ dimensions: 3 });
  onTestFinished(() => server.close());
  const embeddings = await embeddingsWith({ baseURL: server.origin });
  expect(await embeddings.embed({ texts: ["abc"], model: "ollama" })).toMatchObject({
    model: "ollama/nomic-embed-text",
    dimensions: 3,
  });
  expect(server.requests[0]).toMatchObject({ path: "/v1/embeddings" });
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});
