import { startChatServer, startTestServer } from "@openclaw/platform-fakes";
import type { DefinedPlugin } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost } from "@openclaw/plugin-testkit";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import plugin from "../src/index.js";
import { chatEvents } from "./chat-events.js";
import { responsesEvents } from "./responses-events.js";

const loaded = vi.hoisted(() => ({ library: false }));
vi.mock("@ai-sdk/openai", async (original) => {
  loaded.library = true;
  return original();
});

/** Configuration of the plugin. */
type Config = typeof plugin extends DefinedPlugin<infer Taken> ? Taken : never;

/** Creates a host with the plugin and its model `openai/gpt-4o`. */
async function host(config: Config = {}) {
  const made = await createTestHost({ plugin, pluginConfig: config, model: "openai/gpt-4o" });
  onTestFinished(() => made.dispose());
  return made;
}

async function provider(config: Config = {}) {
  const [registered] = (await host(config)).registrations.providers;
  if (registered === undefined) throw new Error("the plugin registered no provider");
  return registered.provider;
}

beforeEach(() => {
  for (const name of ["OPENAI_API_KEY", "OPENAI_MODEL", "OPENAI_BASE_URL"]) vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

describe("openai plugin", () => {
  it("declares the provider and the settings in its manifest", async () => {
    expect(manifest.id).toBe(plugin.id);
    expect(manifest.version).toBe(packageJson.version);
    expect(manifest.configSchema).toEqual(plugin.configSchema);
    expect((await host()).plugin.providerIds).toEqual(manifest.providers);
    expect(packageJson.files).toContain("openclaw.plugin.json");
  });

  it("loads the provider library with the first model", async () => {
    const { languageModel } = await provider({ apiKey: "k" });
    expect(loaded.library).toBe(false);
    await languageModel("gpt-4o");
    expect(loaded.library).toBe(true);
  });
});

describe("openai settings", () => {
  it("treats empty and blank variables as unset", async () => {
    vi.stubEnv("OPENAI_API_KEY", "  ");
    const { credential, defaultModel, paid, setup } = await provider();
    expect({ credential, defaultModel, paid, setup }).toEqual({
      credential: undefined,
      defaultModel: "gpt-4o",
      paid: true,
      setup: "set OPENAI_API_KEY",
    });
  });

  it("reads settings from the environment, and reports the variable as their source", async () => {
    vi.stubEnv("OPENAI_API_KEY", "from-environment");
    vi.stubEnv("OPENAI_MODEL", "gpt-x");
    const { credential, defaultModel } = await provider();
    expect(credential).toEqual({ source: "OPENAI_API_KEY" });
    expect(defaultModel).toBe("gpt-x");
  });

  it("prefers the config over the environment, and reports its key but never the value", async () => {
    vi.stubEnv("OPENAI_API_KEY", "from-environment");
    vi.stubEnv("OPENAI_MODEL", "gpt-x");
    const made = await provider({ apiKey: "from-config", model: "gpt-y" });
    expect(made.credential).toEqual({ source: "plugins.entries.openai.config.apiKey" });
    expect(made.defaultModel).toBe("gpt-y");
    expect(JSON.stringify(made)).not.toContain("from-");
  });

  it("[LLM-015] takes a key that is a literal, or that the configuration reads from the environment", async () => {
    await using server = await startChatServer([{ text: "one" }, { text: "two" }]);
    vi.stubEnv("KEY_OF_MINE", "test-key");
    const keys = ["test-key", `\${KEY_OF_MINE}`];
    for (const apiKey of keys) {
      const { text } = await (await host({ apiKey, baseURL: server.baseURL })).turn("hi");
      expect(["one", "two"]).toContain(text);
    }
    expect(server.requests).toHaveLength(2);
  });

  it.each(["localhost:8080", "ftp://x", "https://"])("rejects the base URL %s", async (address) => {
    vi.stubEnv("OPENAI_BASE_URL", address);
    await expect(provider()).rejects.toThrow(
      `the openai plugin cannot use the address in OPENAI_BASE_URL: expected one that starts with http:// or https://, got "${address}"`,
    );
  });

  it("reports a missing key when a model is requested", async () => {
    const made = await provider();
    await expect(Promise.resolve().then(() => made.languageModel("gpt-4o"))).rejects.toMatchObject({
      code: "OPENAI_KEY_MISSING",
      message: expect.stringContaining(
        "set OPENAI_API_KEY or plugins.entries.openai.config.apiKey",
      ),
    });
  });
});

const streaming = (body: string) => startTestServer({ body, contentType: "text/event-stream" });

describe("openai models", () => {
  it("uses chat completions at a base URL other than OpenAI's", async () => {
    await using server = await streaming(chatEvents("hello"));
    vi.stubEnv("OPENAI_API_KEY", "key-1");
    vi.stubEnv("OPENAI_BASE_URL", `${server.origin}/v1`);
    expect((await (await host()).turn("hi")).text).toBe("hello");
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer key-1" },
      body: { model: "gpt-4o", stream: true },
    });
  });

  it("uses the Responses API without storage when the config requires it", async () => {
    await using server = await streaming(responsesEvents("hello"));
    const config = { apiKey: "k", baseURL: `${server.origin}/v1`, api: "responses" } as const;
    const reply = await (await host(config)).turn("hi");
    expect(reply).toMatchObject({ text: "hello", outcome: { stopReason: "stop" } });
    expect(server.requests[0]).toMatchObject({
      path: "/v1/responses",
      body: { model: "gpt-4o", stream: true, store: false },
    });
  });

  it("uses the Responses API by default only at OpenAI's own URLs", async () => {
    vi.stubEnv("OPENAI_API_KEY", "k");
    expect((await (await provider()).languageModel("gpt-4o")).provider).toBe("openai.responses");
    const regional = await provider({ baseURL: "https://eu.api.openai.com/v1" });
    expect((await regional.languageModel("gpt-4o")).provider).toBe("openai.responses");
    const chat = await provider({ api: "chat" });
    expect((await chat.languageModel("gpt-4o")).provider).toBe("openai.chat");
    const elsewhere = await provider({ baseURL: "https://api.openai.com.example/v1" });
    expect((await elsewhere.languageModel("gpt-4o")).provider).toBe("openai.chat");
  });
});
