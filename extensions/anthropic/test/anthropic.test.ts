import { startTestServer } from "@openclaw/platform-fakes";
import type { DefinedPlugin } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost } from "@openclaw/plugin-testkit";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import plugin from "../src/index.js";
import { messageEvents } from "./message-events.js";

const loaded = vi.hoisted(() => ({ library: false }));
vi.mock("@ai-sdk/anthropic", async (original) => {
  loaded.library = true;
  return original();
});

/** Configuration of the plugin. */
type Config = typeof plugin extends DefinedPlugin<infer Taken> ? Taken : never;

/** Creates a host with the plugin and its model `anthropic/claude-x`. */
async function host(config: Config = {}) {
  const made = await createTestHost({ plugin, pluginConfig: config, model: "anthropic/claude-x" });
  onTestFinished(() => made.dispose());
  return made;
}

async function provider(config: Config = {}) {
  const [registered] = (await host(config)).registrations.providers;
  if (registered === undefined) throw new Error("the plugin registered no provider");
  return registered.provider;
}

beforeEach(() => {
  for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_MODEL", "ANTHROPIC_BASE_URL"]) {
    vi.stubEnv(name, "");
  }
});
afterEach(() => vi.unstubAllEnvs());

describe("anthropic plugin", () => {
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
    await languageModel("claude-x");
    expect(loaded.library).toBe(true);
  });
});

describe("anthropic settings", () => {
  it("treats empty and blank variables as unset", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "  ");
    const { credential, defaultModel, paid, setup } = await provider();
    expect({ credential, defaultModel, paid, setup }).toEqual({
      credential: undefined,
      defaultModel: "claude-sonnet-4-20250514",
      paid: true,
      setup: "set ANTHROPIC_API_KEY",
    });
  });

  it("reads settings from the environment, and reports the variable as their source", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "from-environment");
    vi.stubEnv("ANTHROPIC_MODEL", "claude-x");
    const { credential, defaultModel } = await provider();
    expect(credential).toEqual({ source: "ANTHROPIC_API_KEY" });
    expect(defaultModel).toBe("claude-x");
  });

  it("prefers the config over the environment, and reports its key but never the value", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "from-environment");
    const made = await provider({ apiKey: "from-config", model: "claude-y" });
    expect(made.credential).toEqual({ source: "plugins.entries.anthropic.config.apiKey" });
    expect(made.defaultModel).toBe("claude-y");
    expect(JSON.stringify(made)).not.toContain("from-");
  });

  it.each(["localhost:8080", "ftp://x", "https://"])("rejects the base URL %s", async (address) => {
    vi.stubEnv("ANTHROPIC_BASE_URL", address);
    await expect(provider()).rejects.toThrow(
      `the anthropic plugin cannot use the address in ANTHROPIC_BASE_URL: expected one that starts with http:// or https://, got "${address}"`,
    );
  });

  it("reports a missing key when a model is requested", async () => {
    const made = await provider();
    await expect(Promise.resolve().then(() => made.languageModel("m"))).rejects.toMatchObject({
      code: "ANTHROPIC_KEY_MISSING",
      message: expect.stringContaining("set ANTHROPIC_API_KEY or plugins.entries.anthropic"),
    });
  });
});

describe("anthropic models", () => {
  it.each(["", "/", "/v1", "/v1/"])(
    "uses the Messages API at a base URL that ends with %j",
    async (path) => {
      const body = messageEvents("hello");
      await using server = await startTestServer({ body, contentType: "text/event-stream" });
      vi.stubEnv("ANTHROPIC_API_KEY", "key-1");
      vi.stubEnv("ANTHROPIC_BASE_URL", `${server.origin}${path}`);
      const reply = await (await host()).turn("hi");
      expect(reply).toMatchObject({ text: "hello", outcome: { stopReason: "stop" } });
      expect(server.requests[0]).toMatchObject({
        method: "POST",
        path: "/v1/messages",
        headers: { "x-api-key": "key-1", "anthropic-version": "2023-06-01" },
        body: { model: "claude-x", stream: true },
      });
    },
  );
});
