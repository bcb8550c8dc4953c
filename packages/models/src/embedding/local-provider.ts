import type { EmbeddingModel, EmbeddingProvider } from "@openclaw/plugin-sdk/provider-entry";
import { ModelNotFoundError } from "../errors.js";
import { UnsupportedDimensionsError } from "./errors.js";
import { LEXICAL_DIMENSIONS, lexicalVector } from "./lexical.js";

/** Provider whose models compute in this process: strings do not leave it. */
export const LOCAL_PROVIDER_ID = "local";

/** Function that turns a text into a vector of length 1, without network and without waiting. */
export interface TextVectors {
  readonly dimensions: number;
  /** Returns the vector of a text; zero for a text without words. */
  embed(text: string): Float32Array;
}

/** Model of the local provider. */
export interface LocalEmbeddings {
  /** Name without the version, for example `lexical`. */
  readonly name: string;
  /** Version of the vectors, for example `v1`. */
  readonly version: string;
  /** Loads the model when it is first used. */
  load(): Promise<TextVectors>;
}

const LEXICAL: LocalEmbeddings = {
  name: "lexical",
  version: "v1",
  load: async () => ({ dimensions: LEXICAL_DIMENSIONS, embed: (text) => lexicalVector(text) }),
};

/** Strings that are embedded before other work gets a turn. */
const TEXTS_AT_ONCE = 16;

/**
 * Creates the provider of the models that need no network and no key (MEM-022): the given ones, the first of which is
 * the default, and `lexical`. A model is named with its version, and is also found without it.
 * @param models - further models
 */
export function createLocalEmbeddingProvider(
  models: readonly LocalEmbeddings[] = [],
): Omit<EmbeddingProvider, "listEmbeddingModels"> & { listEmbeddingModels(): readonly string[] } {
  const all = [...models, LEXICAL];
  const [first] = all;
  const nameOf = ({ name, version }: LocalEmbeddings) => `${name}-${version}`;
  const names = all.flatMap((model) => [nameOf(model), model.name]);
  return {
    id: LOCAL_PROVIDER_ID,
    label: "Local",
    setup: "nothing to set up",
    credential: { source: "no key needed" },
    defaultEmbeddingModel: nameOf(first ?? LEXICAL),
    listEmbeddingModels: () => names,
    async embeddingModel(modelId) {
      const model = all.find((each) => nameOf(each) === modelId || each.name === modelId);
      if (model === undefined) {
        const problem = "the local provider does not have this model";
        const nearest = all.map((each) => `${LOCAL_PROVIDER_ID}/${nameOf(each)}`);
        throw new ModelNotFoundError(`${LOCAL_PROVIDER_ID}/${modelId}`, problem, nearest);
      }
      return embeddingModel(nameOf(model), await model.load());
    },
  };
}

function embeddingModel(modelId: string, vectors: TextVectors): EmbeddingModel {
  return {
    specificationVersion: "v4",
    provider: LOCAL_PROVIDER_ID,
    modelId,
    maxEmbeddingsPerCall: TEXTS_AT_ONCE,
    async doEmbed({ values, dimensions }: LocalRequest) {
      if (dimensions !== undefined && dimensions > vectors.dimensions) {
        throw new UnsupportedDimensionsError(
          `${LOCAL_PROVIDER_ID}/${modelId}`,
          dimensions,
          vectors.dimensions,
        );
      }
      const embeddings = values.map((text) => shortened(vectors.embed(text), dimensions));
      return { embeddings, usage: { tokens: values.reduce((sum, text) => sum + words(text), 0) } };
    },
  };
}

interface LocalRequest {
  readonly values: readonly string[];
  readonly dimensions?: number;
}

/** Returns the first values of a vector with length 1. */
function shortened(vector: Float32Array, dimensions: number | undefined): Float32Array {
  if (dimensions === undefined || dimensions === vector.length) return vector;
  const kept = vector.slice(0, dimensions);
  const length = Math.sqrt(kept.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? kept : kept.map((value) => value / length);
}

function words(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
