import type { AnthropicProvider } from "@ai-sdk/anthropic";

type Model = ReturnType<AnthropicProvider["languageModel"]>;
type CallOptions = Parameters<Model["doStream"]>[0];
type Prompt = CallOptions["prompt"];
type Message = Prompt[number];

/** Most breakpoints that the API accepts in a request. */
const MOST_BREAKPOINTS = 4;

/**
 * Returns a model whose requests have cache breakpoints (LLM-061). Anthropic stores the request up to each breakpoint
 * for five minutes, or for the hour that a breakpoint asks for, and reads the longest stored beginning of a later request
 * for a tenth of the price. At most four are allowed. Those of a client come first; the rest, in this order, are:
 * - the end of the request, where the next request of a tool loop continues;
 * - the end of the tools and the system prompt, which conversations share;
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
  const places = new Set([
    prompt.length - 1,
    prompt.findLastIndex(({ role }) => role === "system"),
    ...ofUser.slice(-2).map((index) => index - 1),
  ]);
  const given = prompt.map(breakpointsOf);
  const room = MOST_BREAKPOINTS - given.flat().length;
  const free = [...places].filter((index) => index >= 0 && !endsMarked(prompt[index]));
  const marked = new Set(free.slice(0, Math.max(0, room)));
  // The API rejects a breakpoint for five minutes before one for an hour.
  const lastLong = given.findLastIndex((breakpoints) => breakpoints.includes("1h"));
  return prompt.map((message, index) =>
    marked.has(index) ? withBreakpoint(message, index < lastLong) : message,
  );
}

function withBreakpoint(message: Message, isLong: boolean): Message {
  const ttl = isLong ? ({ ttl: "1h" } as const) : {};
  const cacheControl = { type: "ephemeral", ...ttl } as const;
  const { providerOptions } = message;
  return {
    ...message,
    providerOptions: {
      ...providerOptions,
      anthropic: { ...providerOptions?.anthropic, cacheControl },
    },
  };
}

interface Marked {
  readonly providerOptions?: Message["providerOptions"];
}

/** Returns the lifetime of each breakpoint that a message has. */
function breakpointsOf(message: Message): readonly string[] {
  const parts: readonly Marked[] = typeof message.content === "string" ? [] : message.content;
  const ofParts = parts.map(lifetimeOf);
  // A breakpoint of the message stands at the end of its last part.
  const end = ofParts.pop() ?? lifetimeOf(message);
  return [...ofParts, end].filter((lifetime) => lifetime !== undefined);
}

function endsMarked(message: Message | undefined): boolean {
  if (message === undefined) return false;
  const last: Marked | undefined =
    typeof message.content === "string" ? undefined : message.content.at(-1);
  return (
    lifetimeOf(message) !== undefined || (last !== undefined && lifetimeOf(last) !== undefined)
  );
}

function lifetimeOf({ providerOptions }: Marked): string | undefined {
  const control = providerOptions?.anthropic?.cacheControl;
  if (typeof control !== "object" || control === null) return undefined;
  return "ttl" in control && control.ttl === "1h" ? "1h" : "5m";
}
