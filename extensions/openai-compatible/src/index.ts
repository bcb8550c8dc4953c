import {
  boundedFetch,
  defineModelProviderPlugin,
  type ModelProvider,
} from "@openclaw/plugin-sdk/provider-entry";
import { isLocalAddress } from "./local-address.js";
import { listServerModels } from "./model-list.js";

/** Wording of the errors about the URL of a server. */
const ADDRESS_INVALID = {
  code: "OPENAI_COMPATIBLE_ADDRESS_INVALID",
  example: "http://localhost:1234/v1",
};
const ADDRESS_MISSING = { label: "server to ask", code: "OPENAI_COMPATIBLE_ADDRESS_MISSING" };

export default defineModelProviderPlugin({
  id: "openai-compatible",
  config: {
    baseURL: {
      type: "string",
      description: "URL of the server, up to /v1; default: the variable LLM_BASE_URL.",
    },
    apiKey: { type: "string", description: "API key, if it needs one; default: LLM_API_KEY." },
    model: { type: "string", description: "A model the server has; default: LLM_MODEL." },
    ollama: {
      type: "object",
      additionalProperties: false,
      properties: {
        baseURL: {
          type: "string",
          description: "URL of Ollama; default: OLLAMA_BASE_URL, else http://localhost:11434.",
        },
        model: {
          type: "string",
          description: "A model Ollama has pulled; default: OLLAMA_MODEL, else llama3.",
        },
      },
    },
  },
  env: {
    baseURL: "LLM_BASE_URL",
    apiKey: "LLM_API_KEY",
    model: "LLM_MODEL",
    "ollama.baseURL": "OLLAMA_BASE_URL",
    "ollama.model": "OLLAMA_MODEL",
  },
  create(settings) {
    const address = settings.httpUrl("baseURL", ADDRESS_INVALID);
    const model = settings.find("model");
    const ollama = settings.httpUrl("ollama.baseURL", ADDRESS_INVALID) ?? "http://localhost:11434";
    return [
      serverProvider({
        id: "openai-compatible",
        label: "OpenAI-compatible server",
        address,
        baseURL: () => settings.require("baseURL", ADDRESS_MISSING),
        apiKey: settings.find("apiKey")?.value,
        defaultModel: model?.value ?? "",
        // No model is on every server, so it is chosen without its name only when both are set (LLM-014).
        credential: model && settings.credential("baseURL"),
        setup: address
          ? "set LLM_MODEL to a model of the server at LLM_BASE_URL"
          : "set LLM_BASE_URL and LLM_MODEL for any OpenAI-compatible server",
      }),
      serverProvider({
        id: "ollama",
        label: "Ollama",
        address: ollama,
        baseURL: () => withVersion(ollama),
        apiKey: undefined,
        defaultModel: settings.find("ollama.model")?.value ?? "llama3",
        // It needs no key, so its address or its model is what makes it a choice (LLM-013).
        credential: settings.credential("ollama.baseURL", "ollama.model"),
        setup: "start Ollama and set OLLAMA_MODEL, and OLLAMA_BASE_URL if it runs elsewhere",
      }),
    ];
  },
});

/** One server that speaks the OpenAI chat API. */
interface Server extends Pick<ModelProvider, "id" | "defaultModel" | "setup" | "credential"> {
  readonly label: string;
  /** Undefined while no server is configured. */
  readonly address: string | undefined;
  /** Returns the address up to and with `/v1`; throws while no server is configured. */
  readonly baseURL: () => string;
  readonly apiKey: string | undefined;
}

/** A server in the operator's own network counts as free, any other as paid. */
function serverProvider({ address, baseURL, apiKey, ...provider }: Server): ModelProvider {
  return {
    ...provider,
    paid: address === undefined || !isLocalAddress(address),
    async languageModel(modelId) {
      const server = { name: provider.id, baseURL: baseURL(), includeUsage: true };
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const key = apiKey === undefined ? {} : { apiKey };
      return createOpenAICompatible({ ...server, fetch: boundedFetch(), ...key }).chatModel(
        modelId,
      );
    },
    listModels: async () => listServerModels(baseURL(), apiKey),
  };
}

function withVersion(address: string): string {
  return new URL(address).pathname === "/" ? new URL("/v1", address).href : address;
}
