import type { ProviderCredential } from "./credential.js";
import type { EmbeddingProvider } from "./embedding.js";
import type { LanguageModel } from "./language-model.js";

/** Prices of a model in US dollars per million tokens, as decimal numbers such as `"0.25"`. */
export interface ProviderPrices {
  readonly input: string;
  readonly output: string;
  /** Price of input that the provider had cached; that of `input` when absent. */
  readonly cacheRead?: string;
  /** Price of input that the provider stored in its cache; that of `input` when absent. */
  readonly cacheWrite?: string;
}

/**
 * Provider of language models, which are named `<provider id>/<model id>` (LLM-001). One that also has embedding models
 * sets `embeddingModel` and `defaultEmbeddingModel`.
 */
export interface ModelProvider
  extends Partial<
    Pick<EmbeddingProvider, "defaultEmbeddingModel" | "embeddingModel" | "listEmbeddingModels">
  > {
  /** Id in lower case, without a slash. */
  id: string;
  /** Display name; the id when absent. */
  label?: string;
  /** Model that is used when only the provider is selected. */
  defaultModel: string;
  /**
   * Version of the AI SDK's specification that its models implement, so that another one is rejected at registration
   * instead of with the first model; the providers of the AI SDK state it (LLM-002).
   */
  specificationVersion?: LanguageModel["specificationVersion"];
  /**
   * JSON Schema keywords that the API accepts in the parameters of tools; the host leaves others out, and checks calls
   * with the whole schema. All are sent when absent (LLM-005).
   */
  toolKeywords?: readonly string[];
  /** True when calls cost money, which the start-up message then mentions (GW-054). */
  paid: boolean;
  /** Instruction to set the provider up, for example `set OPENAI_API_KEY`. */
  setup: string;
  /** False for a provider without models, which start-up then does not advise to set up; true when absent. */
  offersModels?: boolean;
  /** Credential in use; undefined while a key or URL is missing. */
  credential?: ProviderCredential | undefined;
  /**
   * Creates a model. Import heavy libraries here, not during registration. The host keeps the model for later
   * turns, until the provider is registered again, as after a change of its configuration.
   * @param modelId - part of the model name after the slash
   */
  languageModel(modelId: string): LanguageModel | Promise<LanguageModel>;
  /**
   * Returns the prices of a model, for models that the host's own table does not have; undefined when they are not
   * known. The configuration of the operator overrides them (LLM-029).
   * @param modelId - part of the model name after the slash
   */
  pricing?(modelId: string): ProviderPrices | undefined;
  /** Returns ids to suggest; other ids may work too. */
  listModels?(): readonly string[] | Promise<readonly string[]>;
}

/**
 * Defines a typed provider.
 * @returns the same object
 */
export function defineProvider(provider: ModelProvider): ModelProvider {
  return provider;
}
