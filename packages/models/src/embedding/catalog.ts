import type { ModelProvider } from "@openclaw/plugin-sdk";
import type { EmbeddingModel, EmbeddingProvider } from "@openclaw/plugin-sdk/provider-entry";
import {
  ModelNotFoundError,
  ModelProviderFailedError,
  ModelProviderNotReadyError,
  UnsupportedModelSpecError,
} from "../errors.js";
import { providerIdOf } from "../selection/backend.js";
import { ModelCache } from "../selection/model-cache.js";
import { LOCAL_PROVIDER_ID } from "./local-provider.js";

/** Embedding model that is ready for requests. */
export interface ResolvedEmbeddingModel {
  /** `<provider id>/<model id>`, with the version of a model that has one; vectors of different names never mix. */
  readonly ref: string;
  /** ID of the provider. */
  readonly provider: string;
  readonly modelId: string;
  readonly model: EmbeddingModel;
  /** True when its calls cost the operator money. */
  readonly paid: boolean;
  /** True when strings do not leave the process. */
  readonly isLocal: boolean;
}

/** Embedding models of a host by name. */
export interface EmbeddingCatalog {
  /** Returns the providers that have embedding models, in order of registration. */
  providers(): readonly EmbeddingProvider[];
  /**
   * Returns the model of a name: `provider/model`, a provider (its default model), or a model of the local provider.
   * @param ref - name of the model
   * @throws ModelNotFoundError, with the nearest names, when it does not belong to a provider
   * @throws ModelProviderNotReadyError when the provider lacks a key or a URL
   * @throws ModelProviderFailedError when the provider could not create the model
   * @throws UnsupportedModelSpecError when what it made is not an embedding model of version 2 to 4
   */
  resolve(ref: string): Promise<ResolvedEmbeddingModel>;
}

/**
 * Creates the catalog of the embedding models of providers; providers without embedding models are left out.
 * @param providers - registered providers
 */
export function createEmbeddingCatalog(
  providers: Iterable<ModelProvider | EmbeddingProvider>,
): EmbeddingCatalog {
  const embedding = [...providers].filter(isEmbeddingProvider);
  const models = new ModelCache<EmbeddingProvider, EmbeddingModel>();
  return {
    providers: () => embedding,
    async resolve(ref) {
      const { provider, modelId } = await find(ref, embedding);
      const name = `${provider.id}/${modelId}`;
      const model = await models.get(provider, modelId, () => make(name, provider, modelId));
      return {
        ref: `${provider.id}/${model.modelId}`,
        provider: provider.id,
        modelId: model.modelId,
        model,
        paid: provider.id !== LOCAL_PROVIDER_ID && provider.paid !== false,
        isLocal: provider.id === LOCAL_PROVIDER_ID,
      };
    },
  };
}

interface EmbeddingReference {
  readonly provider: EmbeddingProvider;
  readonly modelId: string;
}

async function find(
  ref: string,
  providers: readonly EmbeddingProvider[],
): Promise<EmbeddingReference> {
  const wanted = ref.trim();
  const slash = wanted.indexOf("/");
  const providerId = providerIdOf(slash === -1 ? wanted : wanted.slice(0, slash));
  const named = providers.find(({ id }) => id === providerId);
  if (named !== undefined) {
    const modelId = (slash === -1 ? "" : wanted.slice(slash + 1)) || named.defaultEmbeddingModel;
    if (modelId !== "") return { provider: named, modelId };
    const problem = "the provider has no default embedding model";
    throw new ModelNotFoundError(
      wanted,
      problem,
      [],
      "Set embeddings.model to a model of its server.",
    );
  }
  const local = providers.find(({ id }) => id === LOCAL_PROVIDER_ID);
  const localModels = (await local?.listEmbeddingModels?.()) ?? [];
  if (local !== undefined && localModels.includes(wanted)) {
    return { provider: local, modelId: wanted };
  }
  const problem =
    slash === -1
      ? "it is neither a provider with embedding models nor a local embedding model"
      : `provider "${providerId}" is not registered or has no embedding models`;
  const known = providers
    .filter(({ defaultEmbeddingModel }) => defaultEmbeddingModel !== "")
    .map(({ id, defaultEmbeddingModel }) => `${id}/${defaultEmbeddingModel}`);
  const meant = known.filter((name) => name.endsWith(`/${wanted}`));
  throw new ModelNotFoundError(wanted, problem, meant.length > 0 ? meant : known);
}

async function make(
  ref: string,
  provider: EmbeddingProvider,
  modelId: string,
): Promise<EmbeddingModel> {
  let model: unknown;
  try {
    model = await provider.embeddingModel(modelId);
  } catch (error) {
    if (ModelNotFoundError.isInstance(error)) throw error;
    throw provider.credential === undefined
      ? new ModelProviderNotReadyError(ref, provider.id, provider.setup, error)
      : new ModelProviderFailedError(ref, provider.id, error);
  }
  if (!isEmbeddingModel(model)) {
    throw new UnsupportedModelSpecError(`embedding model ${ref}`, versionOf(model));
  }
  return model;
}

function isEmbeddingProvider(
  provider: ModelProvider | EmbeddingProvider,
): provider is EmbeddingProvider {
  return provider.embeddingModel !== undefined && provider.defaultEmbeddingModel !== undefined;
}

const VERSIONS: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"]);

function isEmbeddingModel(value: unknown): value is EmbeddingModel {
  return (
    typeof value === "object" &&
    value !== null &&
    VERSIONS.has(Reflect.get(value, "specificationVersion")) &&
    typeof Reflect.get(value, "doEmbed") === "function"
  );
}

function versionOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "none";
  const version: unknown = Reflect.get(value, "specificationVersion");
  return VERSIONS.has(version) ? `${version} without doEmbed` : String(version ?? "none");
}
