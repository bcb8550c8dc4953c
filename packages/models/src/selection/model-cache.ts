import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelProvider } from "@openclaw/plugin-sdk";

/** Models kept of one provider. Callers name models freely, so their number has a limit. */
const MOST_MODELS = 32;

/**
 * Models that providers created, one object for each provider and model ID. Libraries build the schemas of
 * their answers with each model, which takes longer than the rest of a request. A provider is asked again
 * after an error, and one that replaces another, as after a change of its configuration, starts empty.
 */
export class ModelCache {
  readonly #models = new WeakMap<ModelProvider, Map<string, Promise<LanguageModelV4>>>();

  /**
   * Returns the model of a provider.
   * @param provider - provider of the model
   * @param modelId - ID of the model at the provider
   * @param create - creates the model on first use
   */
  async get(
    provider: ModelProvider,
    modelId: string,
    create: () => Promise<LanguageModelV4>,
  ): Promise<LanguageModelV4> {
    const models = this.#of(provider);
    const known = models.get(modelId);
    if (known !== undefined) return await known;
    const created = create();
    models.set(modelId, created);
    const [oldest] = models.keys();
    if (models.size > MOST_MODELS && oldest !== undefined) models.delete(oldest);
    try {
      return await created;
    } catch (error) {
      if (models.get(modelId) === created) models.delete(modelId);
      throw error;
    }
  }

  #of(provider: ModelProvider): Map<string, Promise<LanguageModelV4>> {
    const known = this.#models.get(provider);
    if (known !== undefined) return known;
    const models = new Map<string, Promise<LanguageModelV4>>();
    this.#models.set(provider, models);
    return models;
  }
}
