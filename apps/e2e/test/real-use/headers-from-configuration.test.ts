import anthropic from "@openclaw/anthropic";
import bedrock from "@openclaw/bedrock";
import { createGatewayClient } from "@openclaw/client";
import google from "@openclaw/google";
import nearai from "@openclaw/nearai";
import openai from "@openclaw/openai";
import openaiCompatible from "@openclaw/openai-compatible";
import openrouter from "@openclaw/openrouter";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it } from "vitest";

/** A key as it arrives from a chat program that shortens long words. */
const KEY = "sk-abc…def";

const SETTINGS: readonly (readonly [PluginDefinition, string, Record<string, unknown>])[] = [
  [anthropic, "apiKey", { apiKey: KEY }],
  [google, "apiKey", { apiKey: KEY }],
  [nearai, "apiKey", { apiKey: KEY }],
  [openai, "apiKey", { apiKey: KEY }],
  [openaiCompatible, "apiKey", { baseURL: "http://127.0.0.1:1/v1", apiKey: KEY }],
  [openrouter, "apiKey", { apiKey: KEY }],
  [openrouter, "referer", { apiKey: "sk", referer: "https://例え.example" }],
  [bedrock, "accessKeyId", { accessKeyId: KEY }],
  [bedrock, "sessionToken", { sessionToken: KEY }],
];

it.each(SETTINGS.map(([plugin, path, config]) => ({ plugin, path, config, id: plugin.id })))(
  "[LLM-400] the plugin $id names the setting $path whose value no header can carry",
  async ({ plugin, path, config, id }) => {
    const started = createTestHost({
      plugin,
      config: { plugins: { entries: { [id]: { config } } } },
    });
    const problem = await started.then(
      async (host) => {
        await host.dispose();
        return "it started";
      },
      (error: unknown) => String(error),
    );
    expect(problem).toContain(`plugins.entries.${id}.config.${path}`);
    expect(problem).toMatch(/its character \d+, U\+\w{4}, cannot be sent in an HTTP header/);
    expect(problem).not.toContain("sk-abc");
  },
);

it("[LLM-400] the client of the gateway rejects such a token before it sends anything", () => {
  expect(() => createGatewayClient({ url: "http://127.0.0.1:1", token: "пароль" })).toThrow(
    /token of the gateway .* is not valid: its character 1, U\+043F/,
  );
});
