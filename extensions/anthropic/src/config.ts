import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** What an operator may write under `plugins.entries.anthropic.config`; each wins over its variable. */
export interface AnthropicConfig {
  /** Default: `ANTHROPIC_API_KEY`. */
  apiKey?: string;
  /** Default: `ANTHROPIC_BASE_URL`, else Anthropic's own address. */
  baseURL?: string;
  /** Default: `ANTHROPIC_MODEL`, else `claude-sonnet-4-20250514`. */
  model?: string;
}

/** The schema of `AnthropicConfig`, equal to the manifest's. */
export const configSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    apiKey: { type: "string", description: "API key; default: the variable ANTHROPIC_API_KEY." },
    baseURL: {
      type: "string",
      description: "Address of the API; default: ANTHROPIC_BASE_URL, else Anthropic's own.",
    },
    model: {
      type: "string",
      description:
        "Model when only the provider is named; default: ANTHROPIC_MODEL, else claude-sonnet-4-20250514.",
    },
  },
};
