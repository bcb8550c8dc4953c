import { defined } from "@openclaw/foundation";
import type { CacheLifetime } from "@openclaw/plugin-sdk/tools";
import type { MessageRequest } from "@openclaw/protocol/anthropic";

/** Part of a request that a client may mark with `cache_control`. */
interface Marked {
  readonly cache_control?: MessageRequest["cache_control"];
}

/**
 * Returns the time for which a client wants a beginning of its request cached; undefined without a mark.
 * @param marked - block, tool or request
 */
function lifetimeOf({ cache_control: mark }: Marked): CacheLifetime | undefined {
  return mark === undefined || mark === null ? undefined : (mark.ttl ?? "5m");
}

/**
 * Returns the mark of a block as a field of the part that it becomes.
 * @param block - block of a message
 */
export function cacheOf(block: Marked): { readonly cache?: CacheLifetime } {
  const cache = lifetimeOf(block);
  return defined({ cache });
}

/**
 * Returns the marks of a request that do not lie within its earlier messages: those of tools and system prompt, which
 * the gateway joins with its own, and those of the last message.
 * @param request - valid request
 */
export function promptCacheOf(
  request: Pick<MessageRequest, "cache_control" | "messages" | "system" | "tools">,
): { readonly system?: CacheLifetime; readonly end?: CacheLifetime } | undefined {
  const { messages, system, tools = [] } = request;
  const instructions = messages.filter(({ role }) => role === "system");
  const beginning = [system, ...instructions.map(({ content }) => content)].flatMap(marksOf);
  const systemLifetime = longest([...tools.map(lifetimeOf), ...beginning]);
  const end = longest([lifetimeOf(request), ...marksOf(messages.at(-1)?.content)]);
  if (systemLifetime === undefined && end === undefined) return undefined;
  return defined({ system: systemLifetime, end });
}

function marksOf(content: string | readonly object[] | undefined): (CacheLifetime | undefined)[] {
  return typeof content === "object" ? content.map(lifetimeOf) : [];
}

function longest(lifetimes: readonly (CacheLifetime | undefined)[]): CacheLifetime | undefined {
  return lifetimes.includes("1h") ? "1h" : lifetimes.find((lifetime) => lifetime !== undefined);
}
