/** Models kept of one provider. Callers name models freely, so their number has a limit. */
const MOST_MODELS = 32;

/**
 * Models that providers created, one object for each provider and model ID. Libraries build the schemas of
 * their answers with each model, which takes longer than the rest of a request. A provider is asked again
 * after an error, and one that replaces another, as after a change of its configuration, starts empty.
 */
export class ModelCache<Provider extends object, Model> {
  readonly #models = new WeakMap<Provider, Map<string, Promise<Model>>>();

  /**
   * Returns the model of a provider.
   * @param provider - provider of the model
   * @param modelId - ID of the model at the provider
   * @param create - creates the model on first use
   */
  async get(provider: Provider, modelId: string, create: () => Promise<Model>): Promise<Model> {
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

  #of(provider: Provider): Map<string, Promise<Model>> {
    const known = this.#models.get(provider);
    if (known !== undefined) return known;
    const models = new Map<string, Promise<Model>>();
    this.#models.set(provider, models);
    return models;
  }
}
