import { createHash } from "node:crypto";
import type { Adapter } from "chat";

/** Conversation of a message, in the IDs that operators know. */
export interface Place {
  readonly conversationId: string;
  /** Thread within the conversation; absent outside a thread. */
  readonly threadId?: string;
  readonly isDirect: boolean;
}

type PlacingAdapter = Pick<Adapter, "name" | "channelIdFromThreadId" | "isDM">;

/**
 * Returns the conversation of a thread of an adapter.
 * @param adapterThread - thread ID of the adapter, for example `slack:C123:1700000000.000100`
 */
export function placeOf(adapter: PlacingAdapter, adapterThread: string): Place {
  const thread = adapterThread.replace(/:+$/, "");
  const conversation = adapter.channelIdFromThreadId(adapterThread).replace(/:+$/, "");
  return {
    conversationId: withoutName(adapter, conversation),
    ...(thread === conversation ? {} : { threadId: withoutName(adapter, thread) }),
    isDirect: adapter.isDM?.(adapterThread) ?? false,
  };
}

/**
 * Returns the thread of an adapter for a conversation.
 * @param place - conversation, and thread within it
 */
export function adapterThread(
  adapter: Pick<Adapter, "name">,
  { conversationId, threadId }: Pick<Place, "conversationId" | "threadId">,
): string {
  return `${adapter.name}:${threadId ?? conversationId}`;
}

/**
 * Returns a UUID that is the same for the same parts.
 * @param parts - parts of the ID of a message
 */
export function stableUuid(...parts: readonly string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    // Version 8 is that of hashes by other means than MD5 and SHA-1.
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function withoutName({ name }: Pick<Adapter, "name">, id: string): string {
  return id.startsWith(`${name}:`) ? id.slice(name.length + 1) : id;
}
