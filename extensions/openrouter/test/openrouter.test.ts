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

async function provider(config: { apiKey?: string; baseURL?: string } = {}) {
  const [found] = await registeredProviders(plugin, config);
  if (found === undefined) throw new Error("the plugin registered no provider");
  return found;
}

beforeEach(() => {
  for (const name of ["API_KEY", "MODEL", "BASE_URL", "REFERER"]) {
    vi.stubEnv(`OPENROUTER_${name}`, "");
  }
});
afterEach(() => vi.unstubAllEnvs());

describe("openrouter plugin", () => {
  it("declares the provider and the settings in its manifest", async () => {
    expect(manifest).toMatchObject({ id: plugin.id, version: packageJson.version });
    expect(manifest.configSchema).toEqual(plugin.configSchema);
    expect(manifest.providers).toEqual([(await provider()).id]);
    expect(packageJson.files).toContain("openclaw.plugin.json");
  });

  it("loads the provider library with the first model", async () => {
    const { languageModel } = await provider({ apiKey: "k" });
    expect(loaded.library).toBe(false);
    await languageModel("vendor/model");
    expect(loaded.library).toBe(true);
  });

  it("[LLM-013] reads OPENROUTER_API_KEY and OPENROUTER_MODEL, and reports a missing key", async () => {
    const none = await provider();
    expect(none).toMatchObject({ credential: undefined, setup: "set OPENROUTER_API_KEY" });
    await expect(none.languageModel("m")).rejects.toThrow("set OPENROUTER_API_KEY or plugins");
    await expect(none.listModels?.()).rejects.toThrow("set OPENROUTER_API_KEY or plugins");
    vi.stubEnv("OPENROUTER_API_KEY", "key-1");
    vi.stubEnv("OPENROUTER_MODEL", "vendor/model");
    expect(await provider()).toMatchObject({
      credential: { source: "OPENROUTER_API_KEY" },
      defaultModel: "vendor/model",
    });
  });

  it("[LLM-013] sends OPENROUTER_REFERER to OPENROUTER_BASE_URL, and no referer when it is not set", async () => {
    await using server = await startChatServer([], { basePath: "/api/v1", models: ["vendor/a"] });
    vi.stubEnv("OPENROUTER_BASE_URL", server.baseURL);
    expect(await (await provider({ apiKey: "test-key" })).listModels?.()).toEqual(["vendor/a"]);
    vi.stubEnv("OPENROUTER_REFERER", "https://bot.example.com");
    await (await provider({ apiKey: "test-key" })).listModels?.();
    const [first, second] = server.requests;
    expect(first?.headers).not.toHaveProperty("http-referer");
    expect(second?.headers).toMatchObject({ "http-referer": "https://bot.example.com" });
  });
});
