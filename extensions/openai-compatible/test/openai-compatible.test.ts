import { startTestServer } from "@openclaw/platform-fakes";
import type { DefinedPlugin } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost } from "@openclaw/plugin-testkit";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import plugin from "../src/index.js";
import { chatEvents } from "./chat-events.js";

const loaded = vi.hoisted(() => ({ library: false }));
vi.mock("@ai-sdk/openai-compatible", async (original) => {
  loaded.library = true;
  return original();
});

/** Configuration of the plugin. */
type Config = typeof plugin extends DefinedPlugin<infer Taken> ? Taken : never;

/** Creates a host with the plugin and one of its models. */
async function host(model: string, config: Config = {}) {
  const made = await createTestHost({ plugin, pluginConfig: config, model });
  onTestFinished(() => made.dispose());
  return made;
}

async function provider(config: Config = {}) {
  const [registered] = (await host("demo/echo", config)).registrations.providers;
  if (registered === undefined) throw new Error("the plugin registered no provider");
  return registered.provider;
}

beforeEach(() => {
  for (const name of ["LLM_BASE_URL", "LLM_API_KEY", "LLM_MODEL"]) vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

const streamed = (text: string) =>
  startTestServer({ body: chatEvents(text), contentType: "text/event-stream" });
const listing = (body: string, status = 200) => startTestServer({ body, status });

describe("openai-compatible plugin", () => {
  it("declares the providers and the settings in its manifest", async () => {
    expect(manifest.id).toBe(plugin.id);
    expect(manifest.version).toBe(packageJson.version);
    expect(manifest.configSchema).toEqual(plugin.configSchema);
    expect((await host("demo/echo")).plugin.providerIds).toEqual(manifest.providers);
    expect(packageJson.files).toContain("openclaw.plugin.json");
  });

  it("loads the provider library with the first model", async () => {
    const { languageModel } = await provider({ baseURL: "http://localhost:1/v1" });
    expect(loaded.library).toBe(false);
    await languageModel("m");
    expect(loaded.library).toBe(true);
  });
});

describe("provider openai-compatible", () => {
  it("ends a reply with a line above the maximum length", async () => {
    await using server = await startTestServer({
      body: `data: ${"x".repeat(17 * 1024 * 1024)}`,
      contentType: "text/event-stream",
    });
    vi.stubEnv("LLM_BASE_URL", server.origin);
    const { outcome } = await (await host("openai-compatible/m")).turn("hi");
    expect(outcome).toMatchObject({ error: { code: "MODEL_REPLY_TOO_LARGE" } });
  });

  it("[LLM-014] requests LLM_MODEL from the server at LLM_BASE_URL, with LLM_API_KEY if it is set", async () => {
    await using server = await streamed("hello");
    vi.stubEnv("LLM_BASE_URL", `${server.origin}/any/path/v1`);
    vi.stubEnv("LLM_MODEL", "local-model");
    const keyless = await provider();
    expect(keyless.credential).toEqual({ source: "LLM_BASE_URL" });
    expect(keyless.defaultModel).toBe("local-model");
    const reply = await (await host("openai-compatible")).turn("hi");
    expect(reply).toMatchObject({
      text: "hello",
      outcome: { stopReason: "stop", usage: { input: 3, output: 2 } },
    });

    vi.stubEnv("LLM_API_KEY", "key-1");
    await (await host("openai-compatible/other-model")).turn("hi");

    expect(server.requests).toMatchObject([
      { method: "POST", path: "/any/path/v1/chat/completions", body: { model: "local-model" } },
      { headers: { authorization: "Bearer key-1" }, body: { model: "other-model", stream: true } },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("is not chosen by default before both URL and model are set, and names the missing setting", async () => {
    const none = await provider();
    expect(none).toMatchObject({
      credential: undefined,
      defaultModel: "",
      setup: "set LLM_BASE_URL and LLM_MODEL for any OpenAI-compatible server",
    });
    await expect(Promise.resolve().then(() => none.languageModel("m"))).rejects.toMatchObject({
      code: "OPENAI_COMPATIBLE_ADDRESS_MISSING",
    });
    vi.stubEnv("LLM_BASE_URL", "http://localhost:1234/v1");
    const half = await provider();
    expect(half).toMatchObject({
      credential: undefined,
      setup: "set LLM_MODEL to a model of the server at LLM_BASE_URL",
    });
    expect(await half.languageModel("m")).toMatchObject({ modelId: "m" });
  });

  it("prefers the config over the environment, and never shows the key", async () => {
    vi.stubEnv("LLM_BASE_URL", "http://localhost:1/v1");
    vi.stubEnv("LLM_MODEL", "a");
    const made = await provider({
      baseURL: "https://example.com/v1",
      model: "b",
      apiKey: "from-config",
    });
    expect(made.credential).toEqual({
      source: "plugins.entries.openai-compatible.config.baseURL",
    });
    expect(made.defaultModel).toBe("b");
    expect(JSON.stringify(made)).not.toContain("from-config");
  });

  it.each([
    ["http://localhost:1234/v1", false],
    ["http://127.0.0.1:1234/v1", false],
    ["http://[::1]:1234/v1", false],
    ["http://192.168.1.20/v1", false],
    ["http://172.31.0.1/v1", false],
    ["http://[fd00::1]/v1", false],
    ["http://gpu-box:8000/v1", false],
    ["http://host.docker.internal/v1", false],
    ["https://api.groq.com/openai/v1", true],
    ["http://172.32.0.1/v1", true],
    ["http://8.8.8.8/v1", true],
    ["http://[2001:db8::1]/v1", true],
    ["https://localhost.example.com/v1", true],
  ])("counts %s as paid: %s", async (baseURL, paid) => {
    expect((await provider({ baseURL })).paid).toBe(paid);
  });

  it.each(["localhost:1234/v1", "not an address"])("rejects the base URL %s", async (address) => {
    vi.stubEnv("LLM_BASE_URL", address);
    await expect(provider()).rejects.toThrow(
      `the openai-compatible plugin cannot use the address in LLM_BASE_URL: expected one that starts with http:// or https://, got "${address}"`,
    );
  });
});

describe("model list", () => {
  it("returns the model IDs that the server lists", async () => {
    await using server = await listing('{"data": [{"id": "a"}, {"id": "b"}, {"object": "x"}]}');
    const made = await provider({
      baseURL: `${server.origin}/v1/`,
      apiKey: "k",
    });
    expect(await made.listModels?.()).toEqual(["a", "b"]);
    expect(server.requests[0]).toMatchObject({
      method: "GET",
      path: "/v1/models",
      headers: { authorization: "Bearer k" },
    });
  });

  it.each([
    ["{}", 200, 'expected an object with an array "data"'],
    ["<html>", 200, "not valid JSON"],
    ["", 404, "the server responded with HTTP 404"],
  ])(
    "fails to list models, with an explanation, for the response %j with status %i",
    async (body, status, problem) => {
      await using server = await listing(body, status);
      const made = await provider({ baseURL: `${server.origin}/v1` });
      await expect(made.listModels?.()).rejects.toMatchObject({
        code: "PROVIDER_LIST_FAILED",
        message: expect.stringContaining(problem),
      });
    },
  );

  it("fails to list models, with an explanation, when the server is down or not configured", async () => {
    const server = await listing("");
    await server.close();
    const gone = await provider({ baseURL: server.origin });
    await expect(gone.listModels?.()).rejects.toThrow(/ECONNREFUSED.*check that the server runs/);
    const none = await provider();
    await expect(none.listModels?.()).rejects.toThrow("has no server URL");
  });
});
