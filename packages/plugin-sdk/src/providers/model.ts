import type { LanguageModel } from "./language-model.js";

/** Where a provider found what it needs to serve, for the start-up line and `doctor`. */
export interface ProviderCredential {
  /** For example the environment variable `OPENAI_API_KEY`; never its value. */
  source: string;
}

/** A source of language models; models are named `<provider id>/<model id>` (LLM-001). */
export interface ModelProvider {
  /** Lower case, without a slash. */
  id: string;
  /** Shown to people; the id is used when absent. */
  label?: string;
  /** Model used when only the provider is chosen. */
  defaultModel: string;
  /** True when calls cost the operator money, so that start-up can say so (GW-054). */
  paid: boolean;
  /** How to make it usable, for example `set OPENAI_API_KEY`. */
  setup: string;
  /** What makes it usable now; undefined while it lacks a key or address. */
  credential?: ProviderCredential | undefined;
  /**
   * Makes the model of an id. Heavy libraries are imported here, not at registration. The host keeps the
   * model for later turns, until the provider is registered again, as after a change of its configuration.
   * @param modelId - the part of the name behind the slash
   */
  languageModel(modelId: string): LanguageModel | Promise<LanguageModel>;
  /** Ids worth offering in a list; any other id may work too. */
  listModels?(): readonly string[] | Promise<readonly string[]>;
}

/**
 * Types a provider.
 * @param provider - the provider
 * @returns the same object
 */
export function defineProvider(provider: ModelProvider): ModelProvider {
  return provider;
}
