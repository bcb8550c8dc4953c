import type { LanguageModelV4 } from "@ai-sdk/provider";
import { defined } from "@openclaw/foundation";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import {
  InvalidModelProviderError,
  ModelNotFoundError,
  ModelProviderFailedError,
  ModelProviderNotReadyError,
  UnsupportedModelSpecError,
} from "../errors.js";
import type { ModelPrices } from "../prices/model-row.js";
import { statedPrice } from "../prices/stated-price.js";
import { ToolKeywords } from "../request/tool-schema/keywords.js";
import { liftLanguageModel } from "../specification/language-model.js";
import { ModelCache } from "./model-cache.js";
import { type ModelReference, modelReference, notFound } from "./reference.js";

/** Model that is ready for requests. */
export interface ResolvedModel {
  /** `<provider id>/<model id>`. */
  ref: string;
  /** ID of the provider. */
  provider: string;
  modelId: string;
  /** Model with the registered ID of the provider and the ID of the model. */
  model: LanguageModelV4;
  /** True when its calls cost the operator money. */
  paid: boolean;
  /** Prices that the provider states. */
  price?: ModelPrices | undefined;
}

/** Providers of a host, and the resolution of names to models. */
export interface ModelCatalog {
  /**
   * Adds a provider.
   * @param provider - provider with a lower-case ID without a slash
   * @returns function that unregisters it
   * @throws InvalidModelProviderError when the ID is malformed or taken
   */
  register(provider: ModelProvider): Unregister;
  /** Returns the providers in order of registration. */
  providers(): readonly ModelProvider[];
  /**
   * Returns the model of a name: `provider/model`, a provider, or a model of the default provider. A
   * provider creates each of its models once.
   * @param ref - name of the model
   * @throws ModelNotFoundError, with the nearest names, when it does not belong to a provider
   * @throws ModelProviderNotReadyError when the provider lacks a key or a URL
   * @throws ModelProviderFailedError when the provider could not create the model
   * @throws UnsupportedModelSpecError when what it made is of an unknown specification
   * @throws InvalidModelProviderError when the provider states a price that is not a number
   */
  resolve(ref: string): Promise<ResolvedModel>;
}

const PROVIDER_ID = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * Creates a catalog of model providers (LLM-001).
 * @param providers - providers to register, in this order
 * @throws InvalidModelProviderError when an ID is malformed or given twice
 */
export function createModelCatalog(providers: Iterable<ModelProvider> = []): ModelCatalog {
  const registered = new Map<string, ModelProvider>();
  const models = new ModelCache<ModelProvider, LanguageModelV4>();

  const register = (provider: ModelProvider): Unregister => {
    const { id } = provider;
    if (!PROVIDER_ID.test(id)) {
      const problem =
        "its id may contain only lower-case letters, digits, dots, dashes and underscores";
      throw new InvalidModelProviderError(id, problem);
    }
    if (registered.has(id)) {
      const problem = "another provider has this id; disable one of the two plugins";
      throw new InvalidModelProviderError(id, problem);
    }
    registered.set(id, provider);
    const unregister = () => {
      if (registered.get(id) === provider) registered.delete(id);
    };
    return Object.assign(unregister, { [Symbol.dispose]: unregister });
  };

  for (const provider of providers) register(provider);
  const list = () => [...registered.values()];
  return {
    register,
    providers: list,
    resolve: (ref) => resolveModel(ref, list(), models),
  };
}

async function resolveModel(
  ref: string,
  providers: readonly ModelProvider[],
  models: ModelCache<ModelProvider, LanguageModelV4>,
): Promise<ResolvedModel> {
  const reference = modelReference(ref, providers);
  const { provider, modelId } = reference;
  const model = await models.get(provider, modelId, async () =>
    named(liftLanguageModel(await makeModel(reference, providers)), provider, modelId),
  );
  const price = statedPrice(provider, modelId);
  return {
    ref: reference.ref,
    provider: provider.id,
    modelId,
    model,
    paid: provider.paid,
    ...defined({ price }),
  };
}

async function makeModel(
  { ref, provider, modelId }: ModelReference,
  providers: readonly ModelProvider[],
): Promise<unknown> {
  try {
    return await provider.languageModel(modelId);
  } catch (error) {
    if (UnsupportedModelSpecError.isInstance(error)) throw error;
    if (ModelNotFoundError.isInstance(error)) {
      throw notFound(
        ref,
        `${provider.id} does not have this model`,
        providers,
        await offers(provider),
      );
    }
    throw provider.credential === undefined
      ? new ModelProviderNotReadyError(ref, provider.id, provider.setup, error)
      : new ModelProviderFailedError(ref, provider.id, error);
  }
}

/** Returns the models that a provider lists; empty when the listing fails. */
async function offers(provider: ModelProvider): Promise<string[]> {
  try {
    const ids = (await provider.listModels?.()) ?? [];
    return ids.map((modelId) => `${provider.id}/${modelId}`);
  } catch {
    return [];
  }
}

/**
 * Returns the model under the name of its registered provider, because transcripts, events and errors use
 * that name and not a library's name for the API.
 */
function named(
  model: LanguageModelV4,
  { id: provider, toolKeywords }: ModelProvider,
  modelId: string,
): LanguageModelV4 {
  const keywords = toolKeywords === undefined ? undefined : new ToolKeywords(toolKeywords);
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate(keywords?.applyTo(options) ?? options),
    doStream: (options) => model.doStream(keywords?.applyTo(options) ?? options),
  };
}
