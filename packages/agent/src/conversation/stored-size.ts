import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import { loadHistory } from "./history.js";
import { estimateTokens } from "./size.js";

/** Messages and estimated tokens of the conversation that models are shown. */
export interface ConversationSize {
  readonly messages: number;
  readonly tokens: number;
}

/**
 * Returns the size of the stored conversation that the next turn of a session would show to a model (SUB-036).
 * @param sessionId - UUID of the incarnation
 * @param store - store of the conversation
 */
export async function conversationSize(sessionId: string, store: Store): Promise<ConversationSize> {
  const dependencies = { store, resumeState: { firstPlace: undefined } };
  const { messages } = await loadHistory({ sessionId }, dependencies);
  return sizeOf(messages);
}

/**
 * Returns the size of messages.
 * @param messages - messages of a conversation
 */
export function sizeOf(messages: readonly AgentMessage[]): ConversationSize {
  return { messages: messages.length, tokens: estimateTokens(messages) };
}
