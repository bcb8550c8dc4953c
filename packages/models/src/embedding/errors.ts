import { OpenClawError } from "@openclaw/plugin-sdk";

/** An embedding model does not have vectors of the requested length. */
export class UnsupportedDimensionsError extends OpenClawError {
  static override readonly code = "EMBEDDING_DIMENSIONS_UNSUPPORTED";
  static override readonly kind = "invalid";
  /** Requested length of the vectors. */
  readonly requested: number;
  /** Length that the model has. */
  readonly supported: number;

  /**
   * @param ref - name of the model
   * @param requested - requested length of the vectors
   * @param supported - length that the model has
   */
  constructor(ref: string, requested: number, supported: number) {
    super(
      `the embedding model "${ref}" does not have vectors of ${requested} dimensions; request ${supported}, or leave the number out`,
    );
    this.requested = requested;
    this.supported = supported;
  }
}

/** Embeddings are switched off by the configuration (MEM-021). */
export class EmbeddingsDisabledError extends OpenClawError {
  static override readonly code = "EMBEDDINGS_DISABLED";
  static override readonly kind = "configuration";

  constructor() {
    super(
      "embeddings are switched off; set embeddings.enabled to true, or unset EMBEDDING_ENABLED",
    );
  }
}
