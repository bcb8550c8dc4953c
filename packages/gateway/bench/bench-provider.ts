// The providers of models of the benchmarks that measure a host in process. It is TypeScript, so that the check of types
// finds options that a benchmark no longer gives right; Node runs the file as it is.
import type { ModelProvider } from "@openclaw/plugin-sdk";

/** Text of every reply of {@link instantProvider}. */
export const ANSWER = "An answer of some words.";

const USAGE = {
  inputTokens: { total: 12, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 6, text: undefined, reasoning: undefined },
};

/** Parts of a streamed reply. */
export type ReplyParts = readonly (
  | ReturnType<typeof textParts>[number]
  | ReturnType<typeof callParts>[number]
)[];

/** Messages of a request to a model. */
export type Prompt = readonly { readonly role: string }[];

/**
 * Returns a provider whose only model streams the replies of a benchmark.
 * @param id - ID of the provider
 * @param answer - returns the reply to a prompt
 */
export function benchProvider(
  id: string,
  answer: (prompt: Prompt) => ReplyParts | Promise<ReplyParts>,
): ModelProvider {
  return {
    id,
    defaultModel: "model",
    paid: false,
    setup: "nothing",
    credential: { source: "the benchmark" },
    languageModel: () => ({
      specificationVersion: "v4",
      provider: id,
      modelId: "model",
      supportedUrls: {},
      doStream: async ({ prompt }) => ({ stream: ReadableStream.from(await answer(prompt)) }),
      doGenerate: () => Promise.reject(new Error("the host streams")),
    }),
  };
}

/** Returns a provider whose model answers at once, always with the same words. */
export function instantProvider(): ModelProvider {
  return benchProvider("instant", () => textParts(ANSWER));
}

/**
 * Returns a reply of text.
 * @param delta - the text, in one part
 */
export function textParts(delta: string) {
  return [
    { type: "stream-start" as const, warnings: [] },
    { type: "text-start" as const, id: "text" },
    { type: "text-delta" as const, id: "text", delta },
    { type: "text-end" as const, id: "text" },
    finish("stop"),
  ];
}

/**
 * Returns a reply that calls a tool.
 * @param toolCallId - ID of the call
 * @param toolName - the tool
 * @param parameters - its parameters
 */
export function callParts(toolCallId: string, toolName: string, parameters: object = {}) {
  const input = JSON.stringify(parameters);
  return [
    { type: "stream-start" as const, warnings: [] },
    { type: "tool-call" as const, toolCallId, toolName, input },
    finish("tool-calls"),
  ];
}

function finish<Reason extends "stop" | "tool-calls">(reason: Reason) {
  const finishReason = { unified: reason, raw: reason };
  return { type: "finish" as const, finishReason, usage: USAGE };
}
