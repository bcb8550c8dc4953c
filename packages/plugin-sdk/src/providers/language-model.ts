/**
 * Structural type of the language model members that the host uses: any model of the AI SDK specification, version 2
 * to 4, fits. The SDK does not depend on the types of a provider library (LLM-002).
 */
export interface LanguageModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<{ stream: ReadableStream<unknown> }>;
}
