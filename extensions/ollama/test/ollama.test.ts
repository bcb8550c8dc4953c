import { startChatServer } from "@openclaw/platform-fakes";
import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import plugin from "../src/index.js";

const loaded = vi.hoisted(() => ({ library: false }));
vi.mock("@ai-sdk/openai-compatible", async (original) => {
  loaded.library = true;
  return original();
});

async function provider(config: { baseURL?: string; model?: string } = {}) {
  const [found] = await registeredProviders(plugin, config);
  if (found === undefined) throw new Error("the plugin registered no provider");
  return found;
}

beforeEach(() => {
  for (const name of ["OLLAMA_BASE_URL", "OLLAMA_MODEL"]) vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

describe("ollama plugin", () => {
  it("declares the provider and the settings in its manifest", async () => {
    expect(manifest).toMatchObject({ id: plugin.id, version: packageJson.version });
    expect(manifest.configSchema).toEqual(plugin.configSchema);
    expect(manifest.providers).toEqual([(await provider()).id]);
    expect(packageJson.files).toContain("openclaw.plugin.json");
  });

  it("loads the provider library with the first model", async () => {
    const { languageModel } = await provider();
    expect(loaded.library).toBe(false);
    await languageModel("llama3");
    expect(loaded.library).toBe(true);
  });

  it("[LLM-013] needs no key, and is chosen when its URL or its model is set", async () => {
    expect(await provider()).toMatchObject({
      credential: undefined,
      defaultModel: "llama3",
      paid: false,
    });
    vi.stubEnv("OLLAMA_MODEL", "qwen");
    expect(await provider()).toMatchObject({
      credential: { source: "OLLAMA_MODEL" },
      defaultModel: "qwen",
    });
    vi.stubEnv("OLLAMA_BASE_URL", "http://10.0.0.2:11434");
    expect((await provider()).credential).toEqual({ source: "OLLAMA_BASE_URL" });
    expect((await provider({ baseURL: "https://ollama.example.com" })).paid).toBe(true);
  });

  it.each(["", "/", "/v1"])(
    "[LLM-013] lists the models of the running server at a URL that ends with %j",
    async (path) => {
      await using server = await startChatServer([], { apiKey: null, models: ["llama3", "qwen"] });
      const made = await provider({ baseURL: `${server.origin}${path}` });
      expect(await made.listModels?.()).toEqual(["llama3", "qwen"]);
      expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
    },
  );

  it("says that no server runs when it does not list models", async () => {
    await using server = await startChatServer();
    await server.close();
    await expect((await provider({ baseURL: server.origin })).listModels?.()).rejects.toMatchObject(
      {
        code: "PROVIDER_LIST_FAILED",
        message: expect.stringMatching(/ECONNREFUSED.*check that the server runs/),
      },
    );
  });
});
