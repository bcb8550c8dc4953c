import anthropic from "@openclaw/anthropic";
import bedrock from "@openclaw/bedrock";
import google from "@openclaw/google";
import { createModelCatalog, type LanguageModelV4 } from "@openclaw/models";
import nearai from "@openclaw/nearai";
import ollama from "@openclaw/ollama";
import openai from "@openclaw/openai";
import openaiCompatible from "@openclaw/openai-compatible";
import openrouter from "@openclaw/openrouter";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import {
  type ModelServer,
  registeredProviders,
  startAnthropicServer,
  startBedrockServer,
  startChatServer,
  startGeminiServer,
  startNearAiServer,
  startResponsesServer,
} from "@openclaw/plugin-testkit/model-providers";

/** A provider plugin, and the server that speaks its API. */
export interface ModelWire {
  readonly name: string;
  /** Name of the model; its ID is one whose library supports reasoning, if the API does. */
  readonly ref: string;
  /** False for an API without keys. */
  readonly hasKey: boolean;
  /** False for an API that never streams reasoning. */
  readonly showsReasoning: boolean;
  /** False for an API that does not expect its reasoning back. */
  readonly signsReasoning: boolean;
  start(): Promise<ModelServer>;
  /**
   * Returns the providers of the plugin, connected to the server.
   * @param server - server of this wire
   * @param apiKey - key to use instead of the valid one
   */
  providers(server: ModelServer, apiKey?: string): Promise<ModelProvider[]>;
}

const KEY = "test-key";

/** Every provider with its API. */
export const MODEL_WIRES: readonly ModelWire[] = [
  {
    name: "openai (Responses)",
    ref: "openai/gpt-5.2",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    start: startResponsesServer,
    providers: ({ baseURL }, apiKey = KEY) =>
      registeredProviders(openai, { baseURL, apiKey, api: "responses" }),
  },
  {
    name: "openai (chat completions)",
    ref: "openai/gpt-5.2",
    hasKey: true,
    showsReasoning: false,
    signsReasoning: false,
    start: startChatServer,
    providers: ({ baseURL }, apiKey = KEY) => registeredProviders(openai, { baseURL, apiKey }),
  },
  {
    name: "openai-compatible",
    ref: "openai-compatible/local",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: false,
    start: startChatServer,
    providers: ({ baseURL }, apiKey = KEY) =>
      registeredProviders(openaiCompatible, { baseURL, apiKey }),
  },
  {
    name: "ollama",
    ref: "ollama/llama3",
    hasKey: false,
    showsReasoning: true,
    signsReasoning: false,
    start: () => startChatServer([], { apiKey: null }),
    providers: ({ origin }) => registeredProviders(ollama, { baseURL: origin }),
  },
  {
    name: "openrouter",
    ref: "openrouter/vendor/model",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: false,
    start: () => startChatServer([], { basePath: "/api/v1" }),
    providers: ({ baseURL }, apiKey = KEY) => registeredProviders(openrouter, { baseURL, apiKey }),
  },
  {
    name: "nearai (chat completions)",
    ref: "nearai/vendor/model",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: false,
    start: startNearAiServer,
    providers: ({ origin }, apiKey = KEY) =>
      registeredProviders(nearai, { baseURL: origin, apiKey }),
  },
  {
    name: "anthropic",
    ref: "anthropic/claude-sonnet-4-6",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    start: startAnthropicServer,
    providers: ({ origin }, apiKey = KEY) =>
      registeredProviders(anthropic, { baseURL: origin, apiKey }),
  },
  {
    name: "google",
    ref: "google/gemini-3.5-flash",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    start: startGeminiServer,
    providers: ({ baseURL }, apiKey = KEY) => registeredProviders(google, { baseURL, apiKey }),
  },
  {
    name: "bedrock",
    ref: "bedrock/anthropic.claude-sonnet-4-6",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    start: startBedrockServer,
    providers: ({ baseURL }, secretAccessKey = "test-secret") =>
      registeredProviders(bedrock, {
        ...{ baseURL, secretAccessKey, region: "us-east-1", accessKeyId: "AKIATEST" },
      }),
  },
];

/**
 * Returns the model of a wire, connected to its server.
 * @param wire - provider and API
 * @param server - server of this wire
 * @param apiKey - key to use instead of the valid one
 */
export async function wiredModel(
  wire: ModelWire,
  server: ModelServer,
  apiKey?: string,
): Promise<LanguageModelV4> {
  const catalog = createModelCatalog(await wire.providers(server, apiKey));
  return (await catalog.resolve(wire.ref)).model;
}
