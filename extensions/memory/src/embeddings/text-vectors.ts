import type { Embedder, Embedding } from "./embedder.js";
import { checkEmbedding } from "./vector-index.js";

/** Time for the vector of a query; shorter than that of an automatic recall, so that its words are still searched. */
const QUERY_DEADLINE_MS = 1500;

/**
 * Returns the checked vectors of strings.
 * @param embedder - the model
 * @param strings - strings to embed
 * @param signal - aborts when the vectors are no longer needed
 * @throws EmbeddingInvalidError, or an error of the provider
 */
export async function embedTexts(
  embedder: Embedder,
  strings: readonly string[],
  signal: AbortSignal,
): Promise<Embedding> {
  const embedding = await embedder.embed(strings, signal);
  checkEmbedding(embedding, strings.length);
  return embedding;
}

/**
 * Returns the checked vectors of strings before a deadline. A provider may ignore the signal; then its answer is dropped.
 * @param embedder - the model
 * @param strings - strings to embed
 * @param signal - aborts when the vectors are no longer needed
 * @param deadlineMs - the deadline in milliseconds
 * @throws EmbeddingInvalidError, an error of the provider, or an error after the deadline
 */
export async function embedInTime(
  embedder: Embedder,
  strings: readonly string[],
  signal: AbortSignal,
  deadlineMs: number = QUERY_DEADLINE_MS,
): Promise<Embedding> {
  const controller = new AbortController();
  const either = AbortSignal.any([signal, controller.signal]);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`the embedding provider took longer than ${deadlineMs} ms`);
      reject(error);
      controller.abort(error);
    }, deadlineMs);
  });
  try {
    return await Promise.race([embedTexts(embedder, strings, either), late]);
  } finally {
    clearTimeout(timer);
  }
}
