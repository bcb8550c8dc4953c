import type { TurnFailure } from "../outcome.js";

/** Strings of a request to embed. */
export interface EmbeddingTask {
  readonly texts: readonly string[];
  /** Name of the model; the configured one when absent. */
  readonly model: string | undefined;
  /** Length of the vectors; the model's own when absent. */
  readonly dimensions: number | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Result of an {@link EmbeddingTask}. */
export type EmbeddingOutcome =
  | {
      readonly status: "embedded";
      /** Name of the model as `provider/model`. */
      readonly model: string;
      /** Result for each text, in the same order. */
      readonly embeddings: readonly (
        | { readonly vector: Float32Array }
        /** The text was not sent to the provider. */
        | { readonly blocked: string }
      )[];
      /** Tokens that the provider counted; undefined when it did not say. */
      readonly tokens: number | undefined;
    }
  | { readonly status: "failed"; readonly error: TurnFailure };

/** Embedding models of the host. */
export interface EmbeddingPort {
  /**
   * Embeds the strings of a request.
   * @param task - strings, model and dimensions
   */
  embed(task: EmbeddingTask): Promise<EmbeddingOutcome>;
}
