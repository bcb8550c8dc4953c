import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNearAiServer } from "@openclaw/platform-fakes";
import type { HostRuntime, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { createTestHost } from "@openclaw/plugin-testkit";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import plugin from "../src/index.js";

beforeEach(() => {
  for (const name of ["API_KEY", "BASE_URL", "SESSION_PATH"]) vi.stubEnv(`NEARAI_${name}`, "");
});
afterEach(() => vi.unstubAllEnvs());

/** Creates a host with the plugin, and returns its embeddings as plugins use them. */
async function embeddingsWith(credential: { apiKey?: string; sessionPath?: string }) {
  const server = await startNearAiServer();
  onTestFinished(() => server.close());
  let runtime: HostRuntime | undefined;
  const register = (api: OpenClawPluginApi) => {
    runtime = api.runtime;
  };
  const host = await createTestHost({
    plugin,
    pluginConfig: { ...credential, baseURL: server.origin },
    config: { embeddings: { provider: "nearai" } },
    neighbours: [{ id: "reader", register }],
  });
  onTestFinished(() => host.dispose());
  const embeddings = runtime?.embeddings;
  if (embeddings === undefined) throw new Error("the host has no embeddings");
  return { embeddings, server };
}

it("[MEM-021] embeds strings with nearai in 1536 dimensions, with a key", async () => {
  const { embeddings, server } = await embeddingsWith({ apiKey: "test-key" });
  const answer = await embeddings.embed({ texts: ["abc", "de"] });
  expect(answer).toMatchObject({
    ...{ model: "nearai/text-embedding-3-small", dimensions: 1536, tokens: 2 },
  });
  expect(answer.embeddings.map((each) => "vector" in each && each.vector[0])).toEqual([3, 2]);
  expect(server.requests).toMatchObject([
    { path: "/v1/embeddings", body: { model: "text-embedding-3-small", input: ["abc", "de"] } },
  ]);
});

it("[MEM-021] embeds strings with the session of a sign-in, and sends none without it", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "nearai-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const sessionPath = join(stateDir, "session.json");
  const { embeddings, server } = await embeddingsWith({ sessionPath });
  await expect(embeddings.embed({ texts: ["abc"] })).rejects.toMatchObject({
    code: "MODEL_PROVIDER_NOT_READY",
    message: expect.stringContaining("openclaw nearai login"),
  });
  writeFileSync(sessionPath, JSON.stringify({ session_token: server.signIn() }));
  expect(await embeddings.embed({ texts: ["abc"] })).toMatchObject({ dimensions: 1536 });
  server.expireSessions();
  await expect(embeddings.embed({ texts: ["abc"] })).rejects.toMatchObject({
    code: "MODEL_SESSION_RENEWAL_FAILED",
  });
  expect(server.requests).toHaveLength(2);
});
