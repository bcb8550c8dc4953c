/** Capability of a model: a kind of input besides text, or a feature; an embedding model has `embedding` only. */
export type ModelCapability =
  | "image"
  | "pdf"
  | "audio"
  | "video"
  | "reasoning"
  | "tools"
  | "structured-output"
  | "embedding";

/** Prices of tokens in US dollars per million, as decimal numbers. */
export interface TokenPrices {
  readonly input: string;
  readonly output: string;
  /** Price of input that the provider had cached; that of `input` when absent. */
  readonly cacheRead?: string;
  /** Price of input that the provider stored in its cache; that of `input` when absent. */
  readonly cacheWrite?: string;
}

/** Prices of a model. */
export interface ModelPrices extends TokenPrices {
  /** Prices of a whole request whose input is longer than a number of tokens. */
  readonly above?: TokenPrices & { readonly inputTokens: number };
}

/** Properties of a model, as far as they are known. */
export interface ModelProperties {
  readonly price?: ModelPrices | undefined;
  /** Maximum number of tokens of a conversation with its reply. */
  readonly contextTokens?: number | undefined;
  /** Maximum number of tokens of one reply. */
  readonly maxOutputTokens?: number | undefined;
  readonly capabilities?: readonly ModelCapability[] | undefined;
}

/** A known model (LLM-029). */
export interface ModelRow extends ModelProperties {
  /** ID of the provider. */
  readonly provider: string;
  /** ID of the model at the provider. */
  readonly model: string;
  /** Display name. */
  readonly name: string;
  /** True for the model to use when only the provider is configured. */
  readonly isDefault?: true | undefined;
  readonly price: ModelPrices;
  readonly capabilities: readonly ModelCapability[];
  /** URL of the page with these values. */
  readonly source: string;
  /** Day of the source, as `YYYY-MM-DD`. */
  readonly date: string;
}
