import type { EmojiValue } from "chat";
import { loadDependency } from "./package.js";

interface Resolver {
  /** Returns the name that adapters use for an emoji in Unicode. */
  fromGChat(emoji: string): EmojiValue;
}

/**
 * Returns an emoji as adapters take it: by the name that the Chat SDK gives it, which they translate for their platform.
 * @param emoji - one emoji in Unicode
 * @param folder - folder of the adapter
 */
export async function namedEmoji(emoji: string, folder: string): Promise<EmojiValue | string> {
  const resolver = (await loadDependency("chat", folder))?.defaultEmojiResolver;
  return isResolver(resolver) ? resolver.fromGChat(emoji) : emoji;
}

function isResolver(value: unknown): value is Resolver {
  return typeof value === "object" && value !== null && "fromGChat" in value;
}
