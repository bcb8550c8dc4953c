import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { ShownHistory, Store, TranscriptEntry } from "@openclaw/store";

/** Stores of a transaction that a copy writes to. */
export type CopyTarget = Pick<Store, "messages" | "turns">;

/** The part of a conversation that a copy begins with. */
export interface CopiedConversation {
  /** Summary of the conversation before the messages. */
  readonly summary?: ShownHistory["summary"] | undefined;
  readonly messages: readonly { readonly seq: number; readonly message: AgentMessage }[];
}

/**
 * Writes messages to an empty conversation.
 * @param conversation - messages, and the summary of the earlier ones
 * @param sessionId - incarnation of the new session
 * @returns places of the messages in the new conversation, by their places in the original
 */
export async function copyConversation(
  { summary, messages }: CopiedConversation,
  sessionId: string,
  unit: CopyTarget,
): Promise<Map<number, number>> {
  if (summary !== undefined) {
    await unit.messages.compactions.record({
      ...{ sessionId, upToSeq: 0, strategy: "summarise" },
      ...{ summary: summary.text, compactedCount: 0 },
    });
  }
  const places = new Map<number, number>();
  for (const { seq, message } of messages) {
    const copy = await unit.messages.transcript.append({ sessionId, message });
    places.set(seq, copy.seq);
  }
  return places;
}

/**
 * Loads a conversation up to a message, with the results of its tool calls.
 * @param sessionId - incarnation of the session
 * @param through - place of the last message
 * @param store - transcripts
 */
export async function loadThrough(
  sessionId: string,
  through: number,
  { messages: { transcript, compactions } }: Pick<Store, "messages">,
): Promise<CopiedConversation> {
  const entries = await transcript.load(sessionId);
  const messages = entries.slice(0, endOf(entries, through));
  const compaction = await compactions.latest(sessionId);
  if (compaction?.summary === undefined || compaction.upToSeq > through) return { messages };
  const { summary: text, createdAt: at, upToSeq } = compaction;
  return { summary: { text, at }, messages: messages.filter(({ seq }) => seq > upToSeq) };
}

/** Returns the number of entries up to a place; every call has its result in them. */
function endOf(entries: readonly TranscriptEntry[], through: number): number {
  let end = entries.findLastIndex(({ seq }) => seq <= through) + 1;
  while (entries[end]?.message.role === "toolResult") end += 1;
  return end;
}
