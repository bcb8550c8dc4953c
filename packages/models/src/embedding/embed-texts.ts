import { setImmediate as nextRound } from "node:timers/promises";
import { defined, waitUnlessAborted, wellFormed } from "@openclaw/foundation";
import type { EmbeddingModel, EmbeddingModelResult } from "@openclaw/plugin-sdk/provider-entry";
import { ModelInvalidResponseError } from "../request/errors.js";
import { requestFailure } from "../request/failure.js";
import type { ResolvedEmbeddingModel } from "./catalog.js";
import { UnsupportedDimensionsError } from "./errors.js";

/** Maximum number of strings of one request to a provider (MEM-024). */
const MOST_TEXTS = 64;
const DEFAULT_TIMEOUT_MS = 60_000;

/** Options of {@link embedTexts}. */
export interface EmbedOptions {
  /**
   * Checks a text before it leaves the host; a text for which it returns a reason is not sent. Not asked for the
   * models of the local provider.
   * @param text - text to embed
   */
  readonly inspect: (text: string) => string | undefined;
  /**
   * Sends a request within the budgets, and records its cost; without it nothing is counted. Not asked for the models
   * of the local provider.
   * @param values - strings of the request
   * @param send - sends the request
   */
  readonly account?:
    | ((
        values: readonly string[],
        send: () => Promise<EmbeddingModelResult>,
      ) => Promise<EmbeddingModelResult>)
    | undefined;
  /** Length of the vectors; the model's own when absent. */
  readonly dimensions?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one request may take; default 60,000. */
  readonly timeoutMs?: number | undefined;
}

/** Vector of a text, or the reason why the text was not sent. */
export type TextEmbedding = { readonly vector: Float32Array } | { readonly blocked: string };

/** Result of {@link embedTexts}. */
export interface TextEmbeddings {
  /** Name of the model, which is stored with the vectors. */
  readonly model: string;
  /** Length of the vectors; 0 when no text was sent. */
  readonly dimensions: number;
  /** Result for each text, in the same order. */
  readonly embeddings: readonly TextEmbedding[];
  /** Tokens that the provider counted; undefined when it did not say. */
  readonly tokens: number | undefined;
}

/**
 * Embeds strings in requests of at most 64, one after the other (MEM-024).
 * @param resolved - model of the catalog
 * @param values - strings in any number; a blank one is sent like any other
 * @param options - check of strings, dimensions, signal and timeout
 * @throws ModelRequestError (one of its subclasses) for every way a request fails; nothing is repeated
 * @throws UnsupportedDimensionsError when the model does not have vectors of the requested length
 */
export async function embedTexts(
  resolved: ResolvedEmbeddingModel,
  values: readonly string[],
  options: EmbedOptions,
): Promise<TextEmbeddings> {
  const reasons = values.map((text) => (resolved.isLocal ? undefined : options.inspect(text)));
  const sent = values.filter((_, index) => reasons[index] === undefined);
  const vectors: Float32Array[] = [];
  let tokens: number | undefined;
  const perRequest = await requestSize(resolved.model);
  for (let start = 0; start < sent.length; start += perRequest) {
    if (start > 0) await nextRound();
    const batch = wellFormed(sent.slice(start, start + perRequest));
    const send = () => request(resolved, batch, options);
    const { account } = resolved.isLocal ? {} : options;
    const result = await (account === undefined ? send() : account(batch, send));
    vectors.push(...readVectors(resolved, batch, result, vectors[0]?.length));
    const received = vectors[0]?.length ?? 0;
    if (options.dimensions !== undefined && received !== options.dimensions) {
      throw new UnsupportedDimensionsError(resolved.ref, options.dimensions, received);
    }
    if (result.usage !== undefined) tokens = (tokens ?? 0) + result.usage.tokens;
  }
  const dimensions = vectors[0]?.length ?? 0;
  let next = 0;
  const embeddings = reasons.map((blocked): TextEmbedding => {
    if (blocked !== undefined) return { blocked };
    const vector = vectors[next] ?? new Float32Array(dimensions);
    next += 1;
    return { vector };
  });
  return { model: resolved.ref, dimensions, embeddings, tokens };
}

async function requestSize({ maxEmbeddingsPerCall }: EmbeddingModel): Promise<number> {
  const most = (await maxEmbeddingsPerCall) ?? MOST_TEXTS;
  return Math.max(1, Math.min(MOST_TEXTS, most));
}

/** Options of a request as every version of the specification has them. */
interface EmbedCall {
  readonly values: readonly string[];
  readonly abortSignal: AbortSignal;
  readonly dimensions?: number;
}

async function request(
  { provider, modelId, model }: ResolvedEmbeddingModel,
  values: readonly string[],
  { dimensions, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: EmbedOptions,
): Promise<EmbeddingModelResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const abortSignal = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const call: EmbedCall = { values, abortSignal, ...defined({ dimensions }) };
  try {
    abortSignal.throwIfAborted();
    // A provider may ignore its signal.
    return await waitUnlessAborted(abortSignal, () => Promise.resolve(embed(model, call)));
  } catch (error) {
    if (UnsupportedDimensionsError.isInstance(error)) throw error;
    throw requestFailure(error, { provider, modelId }, abortSignal);
  }
}

/** Calls a model, whose options have the type that its version of the specification gives. */
function embed(model: EmbeddingModel, call: EmbedCall): PromiseLike<EmbeddingModelResult> {
  return Reflect.apply(model.doEmbed, model, [call]);
}

/** Checks the vectors of a response: one for each text, all of one length, all of finite numbers. */
function readVectors(
  { provider, modelId }: ResolvedEmbeddingModel,
  batch: readonly string[],
  { embeddings }: EmbeddingModelResult,
  expected: number | undefined,
): Float32Array[] {
  const invalid = (detail: string) =>
    new ModelInvalidResponseError({ provider, model: modelId, detail });
  if (!Array.isArray(embeddings) || embeddings.length !== batch.length) {
    const count = Array.isArray(embeddings) ? embeddings.length : "no";
    throw invalid(`${count} vectors for ${batch.length} texts`);
  }
  const vectors = embeddings.map((values: ArrayLike<number>) => Float32Array.from(values));
  const length = expected ?? vectors[0]?.length ?? 0;
  for (const vector of vectors) {
    if (vector.length === 0 || vector.length !== length) {
      throw invalid(`a vector of ${vector.length} values among vectors of ${length}`);
    }
    if (!vector.every(Number.isFinite)) throw invalid("a vector with a value that is not a number");
  }
  return vectors;
}
