import type { ProviderCredential } from "./credential.js";

/**
 * Structural type of the embedding model members that the host uses: any embedding model of the AI SDK specification,
 * version 2 to 4, fits. The SDK does not depend on the types of a provider library.
 */
export interface EmbeddingModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  /** Maximum number of strings of one call; the host never sends more than 64. */
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: never): PromiseLike<EmbeddingModelResult>;
}

/** Vectors that an `EmbeddingModel` returns. */
export interface EmbeddingModelResult {
  /** A vector for each text, in the same order. */
  readonly embeddings: readonly ArrayLike<number>[];
  readonly usage?: { readonly tokens: number };
}

/** Provider of embedding models, which are named `<provider id>/<model id>` as language models are (LLM-001). */
export interface EmbeddingProvider {
  /** Id in lower case, without a slash. */
  readonly id: string;
  /** Display name; the id when absent. */
  readonly label?: string;
  /** False when calls cost no money; true when absent. */
  readonly paid?: boolean;
  /** Instruction to set the provider up, for example `set OPENAI_API_KEY`. */
  readonly setup: string;
  /** Credential in use; undefined while a key or URL is missing. */
  readonly credential?: ProviderCredential | undefined;
  /** Model that is used when only the provider is selected; empty when there is none that every server has. */
  readonly defaultEmbeddingModel: string;
  /**
   * Creates an embedding model. Import heavy libraries here, not during registration. The host keeps the model until
   * the provider is registered again.
   * @param modelId - part of the model name after the slash
   */
  embeddingModel(modelId: string): EmbeddingModel | Promise<EmbeddingModel>;
  /** Returns ids to suggest; other ids may work too. */
  listEmbeddingModels?(): readonly string[] | Promise<readonly string[]>;
}
