/**
 * The part of a language model the host relies on, by structure alone: any model of the AI SDK
 * specification, version 2 to 4, fits. The SDK names no type of a provider library (LLM-002).
 */
export interface LanguageModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<{ stream: ReadableStream<unknown> }>;
}
