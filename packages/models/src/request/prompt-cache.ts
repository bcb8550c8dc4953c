import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { CacheLifetime } from "@openclaw/plugin-sdk/tools";

/** Places up to which a request asks the provider to cache it. */
export interface PromptCache {
  /** The end of the tools and the system prompt. */
  readonly system?: CacheLifetime;
  /** The end of the conversation. */
  readonly end?: CacheLifetime;
}

/**
 * Returns the options by which providers that cache on request recognise the end of the part to cache (GW-721); the
 * libraries of others ignore them.
 * @param lifetime - time for which the provider keeps it
 */
export function cacheOptions(lifetime: CacheLifetime): SharedV4ProviderOptions {
  // The short lifetime is the default, which servers of the same API without the setting accept.
  const ttl = lifetime === "5m" ? {} : { ttl: lifetime };
  return {
    anthropic: { cacheControl: { type: "ephemeral", ...ttl } },
    bedrock: { cachePoint: { type: "default", ...ttl } },
  };
}

/**
 * Returns a prompt with the breakpoints of its request.
 * @param prompt - prompt in the form of the specification
 * @param cache - places of the breakpoints
 */
export function withPromptCache(
  prompt: LanguageModelV4Prompt,
  { system, end }: PromptCache = {},
): LanguageModelV4Prompt {
  const lifetimes = new Map<number, CacheLifetime | undefined>([[prompt.length - 1, end]]);
  if (prompt[0]?.role === "system") lifetimes.set(0, system ?? lifetimes.get(0));
  return prompt.map((message, index) => {
    const lifetime = lifetimes.get(index);
    if (lifetime === undefined || endsMarked(message)) return message;
    return {
      ...message,
      providerOptions: { ...message.providerOptions, ...cacheOptions(lifetime) },
    };
  });
}

function endsMarked({ content }: LanguageModelV4Prompt[number]): boolean {
  const last = typeof content === "string" ? undefined : content.at(-1);
  return last?.providerOptions?.bedrock?.cachePoint !== undefined;
}
