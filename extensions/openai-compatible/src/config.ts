import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/**
 * What an operator may write under `plugins.entries.openai-compatible.config`; each wins over its
 * variable.
 */
export interface OpenAiCompatibleConfig {
  /** Default: `LLM_BASE_URL`. */
  baseURL?: string;
  /** Default: `LLM_API_KEY`; many local servers need none. */
  apiKey?: string;
  /** Default: `LLM_MODEL`. */
  model?: string;
  ollama?: OllamaConfig;
}

/** Where Ollama runs. */
export interface OllamaConfig {
  /** Default: `OLLAMA_BASE_URL`, else `http://localhost:11434`. */
  baseURL?: string;
  /** Default: `OLLAMA_MODEL`, else `llama3`. */
  model?: string;
}

/** The schema of `OpenAiCompatibleConfig`, equal to the manifest's. */
export const configSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    baseURL: {
      type: "string",
      description: "Address of the server, up to /v1; default: the variable LLM_BASE_URL.",
    },
    apiKey: { type: "string", description: "API key, if it needs one; default: LLM_API_KEY." },
    model: { type: "string", description: "A model the server has; default: LLM_MODEL." },
    ollama: {
      type: "object",
      additionalProperties: false,
      properties: {
        baseURL: {
          type: "string",
          description: "Address of Ollama; default: OLLAMA_BASE_URL, else http://localhost:11434.",
        },
        model: {
          type: "string",
          description: "A model Ollama has pulled; default: OLLAMA_MODEL, else llama3.",
        },
      },
    },
  },
};
