import anthropic from "@openclaw/anthropic";
import bedrock from "@openclaw/bedrock";
import google from "@openclaw/google";
import { createModelCatalog, type LanguageModelV4 } from "@openclaw/models";
import nearai from "@openclaw/nearai";
import ollama from "@openclaw/ollama";
import openai from "@openclaw/openai";
import openaiCompatible from "@openclaw/openai-compatible";
import openrouter from "@openclaw/openrouter";
import {
  type ModelServer,
  startAnthropicServer,
  startBedrockServer,
  startChatServer,
  startGeminiServer,
  startNearAiServer,
  startResponsesServer,
} from "@openclaw/platform-fakes";
import type { ModelProvider, PluginDefinition } from "@openclaw/plugin-sdk";
import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";

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
  /** Reasons of the end on this wire, by the stop reason that they mean. */
  readonly finishes: Readonly<Record<string, readonly string[]>>;
  start(): Promise<ModelServer>;
  /** ID of the plugin. */
  readonly extension: string;
  /** Key that the server accepts. */
  readonly key: string;
  /**
   * Returns the configuration of the plugin.
   * @param server - server of this wire
   * @param apiKey - the key, or a reference to it
   */
  configOf(server: ModelServer, apiKey: string): object;
  /**
   * Returns the providers of the plugin, connected to the server.
   * @param server - server of this wire
   * @param apiKey - key to use instead of the valid one
   */
  providers(server: ModelServer, apiKey?: string): Promise<ModelProvider[]>;
}

const KEY = "test-key";

/** Reasons of chat completions. */
const CHAT_FINISHES = {
  stop: ["stop"],
  length: ["length"],
  "content-filter": ["content_filter"],
  other: ["a_new_reason"],
  error: ["error"],
};

function configured<Config extends object>(
  plugin: PluginDefinition<Config>,
  configOf: (server: ModelServer, apiKey: string) => Config,
  key = KEY,
): Pick<ModelWire, "extension" | "key" | "configOf" | "providers"> {
  return {
    ...{ extension: plugin.id, key, configOf },
    providers: (server, apiKey = key) => registeredProviders(plugin, configOf(server, apiKey)),
  };
}

/** Every provider with its API. */
export const MODEL_WIRES: readonly ModelWire[] = [
  {
    name: "openai (Responses)",
    ref: "openai/gpt-5.2",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    finishes: {
      length: ["max_output_tokens"],
      "content-filter": ["content_filter"],
      other: ["a_new_reason"],
      error: ["failed"],
    },
    start: startResponsesServer,
    ...configured(openai, ({ baseURL }, apiKey) => ({
      ...{ baseURL, apiKey },
      api: "responses" as const,
    })),
  },
  {
    name: "openai (chat completions)",
    ref: "openai/gpt-5.2",
    hasKey: true,
    showsReasoning: false,
    signsReasoning: false,
    finishes: CHAT_FINISHES,
    start: startChatServer,
    ...configured(openai, ({ baseURL }, apiKey) => ({ baseURL, apiKey })),
  },
  {
    name: "openai-compatible",
    ref: "openai-compatible/local",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: false,
    finishes: CHAT_FINISHES,
    start: startChatServer,
    ...configured(openaiCompatible, ({ baseURL }, apiKey) => ({ baseURL, apiKey })),
  },
  {
    name: "ollama",
    ref: "ollama/llama3",
    hasKey: false,
    showsReasoning: true,
    signsReasoning: false,
    finishes: CHAT_FINISHES,
    start: () => startChatServer([], { apiKey: null }),
    ...configured(ollama, ({ origin }) => ({ baseURL: origin })),
  },
  {
    name: "openrouter",
    ref: "openrouter/vendor/model",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: false,
    finishes: CHAT_FINISHES,
    start: () => startChatServer([], { basePath: "/api/v1" }),
    ...configured(openrouter, ({ baseURL }, apiKey) => ({ baseURL, apiKey })),
  },
  {
    name: "nearai (chat completions)",
    ref: "nearai/vendor/model",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: false,
    finishes: CHAT_FINISHES,
    start: startNearAiServer,
    ...configured(nearai, ({ origin }, apiKey) => ({ baseURL: origin, apiKey })),
  },
  {
    name: "anthropic",
    ref: "anthropic/claude-sonnet-4-6",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    finishes: {
      stop: ["end_turn", "stop_sequence", "pause_turn"],
      length: ["max_tokens", "model_context_window_exceeded"],
      "content-filter": ["refusal"],
      other: ["a_new_reason"],
    },
    start: startAnthropicServer,
    ...configured(anthropic, ({ origin }, apiKey) => ({ baseURL: origin, apiKey })),
  },
  {
    name: "google",
    ref: "google/gemini-3.5-flash",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    finishes: {
      stop: ["STOP"],
      length: ["MAX_TOKENS"],
      "content-filter": [
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
      ],
      other: ["LANGUAGE", "A_NEW_REASON"],
      error: ["MALFORMED_FUNCTION_CALL"],
    },
    start: startGeminiServer,
    ...configured(google, ({ baseURL }, apiKey) => ({ baseURL, apiKey })),
  },
  {
    name: "bedrock",
    ref: "bedrock/anthropic.claude-sonnet-4-6",
    hasKey: true,
    showsReasoning: true,
    signsReasoning: true,
    finishes: {
      stop: ["end_turn", "stop_sequence"],
      length: ["max_tokens", "model_context_window_exceeded"],
      "content-filter": ["content_filtered", "guardrail_intervened"],
      other: ["a_new_reason"],
    },
    start: startBedrockServer,
    ...configured(
      bedrock,
      ({ baseURL }, secretAccessKey) => ({
        ...{ baseURL, secretAccessKey, region: "us-east-1", accessKeyId: "AKIATEST" },
      }),
      "test-secret",
    ),
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
