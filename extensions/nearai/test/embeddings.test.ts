import type { HostRuntime, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { createTestHost, startEmbeddingServer } from "@openclaw/plugin-testkit";
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

it("[MEM-021] embeds strings with NEAR AI and a key", async () => {
  const server = await startEmbeddingServer({ apiKey: "key-1", dimensions: 1536 });
  onTestFinished(() => server.close());
  const embeddings = await embeddingsWith({ baseURL: server.origin, apiKey: "key-1" });
  expect(await embeddings.embed({ texts: ["abc"], model: "nearai" })).toMatchObject({
    model: "nearai/text-embedding-3-small",
    dimensions: 1536,
  });
  expect(server.requests[0]?.body).toMatchObject({
    model: "text-embedding-3-small",
    input: ["abc"],
  });
});
