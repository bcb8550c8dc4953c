import type { AnthropicProvider } from "@ai-sdk/anthropic";

type Model = ReturnType<AnthropicProvider["languageModel"]>;
type CallOptions = Parameters<Model["doStream"]>[0];
type Prompt = CallOptions["prompt"];

const BREAKPOINT = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

/**
 * Returns a model whose requests have cache breakpoints (LLM-061). Anthropic stores the request up to each breakpoint
 * for five minutes, and reads the longest stored beginning of a later request for a tenth of the price. At most four
 * are allowed:
 * - the end of the tools and the system prompt, which conversations share;
 * - the end of the request, where the next request of a tool loop continues;
 * - the ends of the messages before the last two of the user. Plugins may add context to a message that only its own
 *   turn shows, so a later turn repeats the bytes up to there; and one whose breakpoint is far behind the stored one
 *   finds the stored one by its place.
 * @param model - model of the Messages API
 */
export function withCacheBreakpoints(model: Model): Model {
  const cached = (options: CallOptions): CallOptions => ({
    ...options,
    prompt: markedPrompt(options.prompt),
  });
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate(cached(options)),
    doStream: (options) => model.doStream(cached(options)),
  };
}

function markedPrompt(prompt: Prompt): Prompt {
  const ofUser = [...prompt.keys()].filter((index) => prompt[index]?.role === "user");
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const marked = new Set([
    system,
    ...ofUser.slice(-2).map((index) => index - 1),
    prompt.length - 1,
  ]);
  return prompt.map((message, index) =>
    marked.has(index)
      ? { ...message, providerOptions: { ...message.providerOptions, ...BREAKPOINT } }
      : message,
  );
}
