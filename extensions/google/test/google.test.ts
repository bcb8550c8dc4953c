import { startGeminiServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import plugin from "../src/index.js";

const loaded = vi.hoisted(() => ({ library: false }));
vi.mock("@ai-sdk/google", async (original) => {
  loaded.library = true;
  return original();
});

async function provider(config: { apiKey?: string; baseURL?: string } = {}) {
  const [found] = await registeredProviders(plugin, config);
  if (found === undefined) throw new Error("the plugin registered no provider");
  return found;
}

beforeEach(() => {
  for (const name of ["GEMINI_API_KEY", "GEMINI_MODEL", "GEMINI_BASE_URL"]) vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

describe("google plugin", () => {
  it("declares the provider and the settings in its manifest", async () => {
    expect(manifest).toMatchObject({ id: plugin.id, version: packageJson.version });
    expect(manifest.configSchema).toEqual(plugin.configSchema);
    expect(manifest.providers).toEqual([(await provider()).id]);
    expect(packageJson.files).toContain("openclaw.plugin.json");
  });

  it("loads the provider library with the first model", async () => {
    const { languageModel } = await provider({ apiKey: "k" });
    expect(loaded.library).toBe(false);
    await languageModel("gemini-a");
    expect(loaded.library).toBe(true);
  });

  it("[LLM-011] reads GEMINI_API_KEY and GEMINI_MODEL, and reports a missing key", async () => {
    const none = await provider();
    expect(none).toMatchObject({ credential: undefined, paid: true, setup: "set GEMINI_API_KEY" });
    await expect(none.languageModel("gemini-a")).rejects.toMatchObject({
      code: "PROVIDER_SETTING_MISSING",
      message: expect.stringContaining(
        "set GEMINI_API_KEY or plugins.entries.google.config.apiKey",
      ),
    });
    vi.stubEnv("GEMINI_API_KEY", "key-1");
    vi.stubEnv("GEMINI_MODEL", "gemini-x");
    expect(await provider()).toMatchObject({
      credential: { source: "GEMINI_API_KEY" },
      defaultModel: "gemini-x",
    });
  });

  it("[LLM-046] sends the signature of a call back in the tool loop of a turn", async () => {
    const toolCalls = [{ id: "call_1", name: "list", arguments: "{}" }];
    await using server = await startGeminiServer([{ toolCalls }, { text: "One file." }]);
    const pluginConfig = { apiKey: "test-key", baseURL: server.baseURL };
    const model = "google/gemini-3.5-flash";
    const files = { "a.txt": "hello" };
    await using host = await createTestHost({ plugin, pluginConfig, model, files });
    expect((await host.turn("What is here?")).text).toBe("One file.");
    const sent = server.requests[1]?.text ?? "";
    expect(sent).toMatch(/"thoughtSignature":"[A-Za-z0-9+/]{43}="/);
    expect(sent).not.toContain("skip_thought_signature_validator");
  });

  it("lists the models that generate content", async () => {
    await using server = await startGeminiServer([], { models: ["gemini-a", "gemini-b"] });
    vi.stubEnv("GEMINI_BASE_URL", server.baseURL);
    const made = await provider({ apiKey: "test-key" });
    expect(await made.listModels?.()).toEqual(["gemini-a", "gemini-b"]);
  });
});
