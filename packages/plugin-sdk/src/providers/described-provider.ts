/** Model of a `DescribedProvider`. */
export interface DescribedModel {
  readonly id: string;
  readonly name?: string;
  /** Costs per million tokens; a model that costs nothing is free. */
  readonly cost?: { readonly input?: number; readonly output?: number };
}

/** Models of a `DescribedProvider`, and the API that serves them. */
export interface DescribedModels {
  readonly baseUrl: string;
  /** API, for example `openai-completions`, the default. */
  readonly api?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly models: readonly DescribedModel[];
}

/** Provider of language models in the form of older versions of the API. */
export interface DescribedProvider {
  readonly id: string;
  /** Tells the form from that of `ModelProvider`. */
  readonly languageModel?: never;
  readonly label?: string;
  /** Environment variables that hold its key, the first one that is set. */
  readonly envVars?: readonly string[];
  /** Sign-ins, which this host does not run. */
  readonly auth?: readonly object[];
  readonly models?: DescribedModels;
  /** Describes the models when they are first used. */
  readonly catalog?: {
    /** @param context - configuration, environment and key */
    run(context: DescribedCatalogContext): Promise<DescribedCatalog> | DescribedCatalog;
  };
}

/** Context of the catalog of a `DescribedProvider`. */
export interface DescribedCatalogContext {
  readonly config: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the key of a provider, from its environment variables. */
  resolveProviderApiKey(providerId?: string): { readonly apiKey: string | undefined };
}

/** Result of the catalog of a `DescribedProvider`. */
export type DescribedCatalog =
  | {
      readonly provider?: DescribedModels;
      readonly providers?: Readonly<Record<string, DescribedModels>>;
    }
  | null
  | undefined;
