import anthropic from "@openclaw/anthropic";
import bedrock from "@openclaw/bedrock";
import google from "@openclaw/google";
import { ModelTable } from "@openclaw/models";
import nearai from "@openclaw/nearai";
import ollama from "@openclaw/ollama";
import openai from "@openclaw/openai";
import openaiCompatible from "@openclaw/openai-compatible";
import openrouter from "@openclaw/openrouter";
import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";
import { afterEach, expect, it, vi } from "vitest";

const PLUGINS = [
  ...[anthropic, bedrock, google, nearai, ollama, openai, openaiCompatible, openrouter],
];

/** Defaults that the table does not have, with the reason. */
const UNKNOWN = new Map([
  ["ollama/llama3", "runs on the operator's machine and costs nothing"],
  ["ollama/nomic-embed-text", "runs on the operator's machine and costs nothing"],
  ["openrouter/openrouter/auto", "OpenRouter selects a model of any price"],
  ["nearai/text-embedding-3-small", "the source has no price"],
]);

afterEach(() => vi.unstubAllEnvs());

it("[LLM-029] has a row for the default models of each provider, or a reason why it is unknown", async () => {
  for (const name of Object.keys(process.env)) {
    if (/_MODEL(?:_ID)?$|_BASE_URL$/.test(name)) vi.stubEnv(name, "");
  }
  const table = new ModelTable();
  const unknown: string[] = [];
  for (const plugin of PLUGINS) {
    for (const provider of await registeredProviders(plugin, {})) {
      for (const model of [provider.defaultModel, provider.defaultEmbeddingModel ?? ""]) {
        if (model !== "" && table.find(provider.id, model) === undefined) {
          unknown.push(`${provider.id}/${model}`);
        }
      }
    }
  }
  expect(unknown.sort()).toEqual([...UNKNOWN.keys()].sort());
});
