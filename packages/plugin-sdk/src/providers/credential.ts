/** Source of a provider's credential, for the start-up message and `doctor`. */
export interface ProviderCredential {
  /** Name of the source, for example the environment variable `OPENAI_API_KEY`; never its value. */
  source: string;
}
