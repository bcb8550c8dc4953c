import type { EmbeddingProvider } from "@openclaw/plugin-sdk/provider-entry";
import type { PluginMemoryRegistration } from "./registrars.js";

type AdapterObject = Readonly<Record<string, unknown>>;

/** Options of an embedding model call that every version of the specification has. */
interface EmbedCall {
  readonly values: readonly string[];
  readonly abortSignal?: AbortSignal;
}

/**
 * Returns the embedding providers that plugins registered for memories, in the form of the providers of models. Their
 * models are named `<adapter id>/<model id>` as those of all providers.
 * @param memory - the registered parts
 */
export function adaptedEmbeddingProviders(
  memory: readonly PluginMemoryRegistration[],
): readonly EmbeddingProvider[] {
  return memory.flatMap((registration) =>
    registration.part === "embeddingProvider" && isEmbeddingAdapter(registration)
      ? [adapted(registration)]
      : [],
  );
}

/**
 * Returns true for an embedding provider that can create models.
 * @param registration - registration of a provider
 */
export function isEmbeddingAdapter({ value }: Pick<EmbeddingRegistration, "value">): boolean {
  return typeof value.create === "function";
}

type EmbeddingRegistration = Extract<PluginMemoryRegistration, { part: "embeddingProvider" }>;

function adapted({ pluginId, value, config }: EmbeddingRegistration): EmbeddingProvider {
  const { id, defaultModel, transport } = value;
  return {
    id,
    paid: transport !== "local",
    setup: `configure plugin ${pluginId}`,
    credential: { source: `plugin ${pluginId}` },
    defaultEmbeddingModel: typeof defaultModel === "string" ? defaultModel : "default",
    async embeddingModel(modelId) {
      const options = { config: config(), provider: id, model: modelId, fallback: "none" };
      const made: unknown = await call(value, "create", options);
      const provider = isRecord(made) ? made.provider : undefined;
      if (!isRecord(provider)) throw new Error(`embedding provider "${id}" created no provider`);
      return {
        specificationVersion: "v4",
        provider: id,
        modelId: typeof provider.model === "string" ? provider.model : modelId,
        maxEmbeddingsPerCall: undefined,
        doEmbed: async ({ values, abortSignal }: EmbedCall) => ({
          embeddings: vectorsOf(id, await embed(provider, values, abortSignal)),
        }),
      };
    },
  };
}

async function embed(
  provider: AdapterObject,
  values: readonly string[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (typeof provider.embedBatch === "function") {
    return await call(provider, "embedBatch", [...values], { signal });
  }
  // The older name is that of queries, the newer one that of any text.
  const one = typeof provider.embed === "function" ? "embed" : "embedQuery";
  return await Promise.all(values.map((value) => call(provider, one, value, { signal })));
}

function vectorsOf(id: string, given: unknown): readonly ArrayLike<number>[] {
  if (Array.isArray(given) && given.every(isVector)) return given;
  throw new TypeError(`embedding provider "${id}" did not return a list of vectors`);
}

function isVector(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;
}

async function call(of: AdapterObject, member: string, ...args: unknown[]): Promise<unknown> {
  const callee = of[member];
  if (typeof callee !== "function") throw new TypeError(`expected a function ${member}`);
  return await Reflect.apply(callee, of, args);
}

function isRecord(value: unknown): value is AdapterObject {
  return typeof value === "object" && value !== null;
}
