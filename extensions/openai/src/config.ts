import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** What an operator may write under `plugins.entries.openai.config`; each wins over its variable. */
export interface OpenAiConfig {
  /** Default: `OPENAI_API_KEY`. */
  apiKey?: string;
  /** Default: `OPENAI_BASE_URL`, else OpenAI's own address. */
  baseURL?: string;
  /** Default: `OPENAI_MODEL`, else `gpt-4o`. */
  model?: string;
  /** Default: `responses` at OpenAI's own address, `chat` at any other. */
  api?: "responses" | "chat";
}

/** The schema of `OpenAiConfig`, equal to the manifest's. */
export const configSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    apiKey: { type: "string", description: "API key; default: the variable OPENAI_API_KEY." },
    baseURL: {
      type: "string",
      description: "Address of the API, with /v1; default: OPENAI_BASE_URL, else OpenAI's own.",
    },
    model: {
      type: "string",
      description: "Model when only the provider is named; default: OPENAI_MODEL, else gpt-4o.",
    },
    api: {
      enum: ["responses", "chat"],
      description: "Which API to speak; default: responses at OpenAI's own address, else chat.",
    },
  },
};
