import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/** Asks a model once more whose reply had no text. */
export const ASK_ONCE_MORE =
  "[Your last reply had no text, so the user has not received anything. Reply to the user now.]";

/** A character that people see; U+2800 is a Braille cell without dots. */
const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Returns true for a text that shows nothing to a reader.
 * @param text - text of a reply
 */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Conversation of a turn. */
interface ReplyPlace {
  readonly channel: string;
  readonly channelId: string;
  readonly accountId?: string | undefined;
  readonly threadId?: string | undefined;
}

/** Actions of the message tool that show something to the people of a conversation. */
const SHOWING: ReadonlySet<unknown> = new Set(["send", "reply", "edit", "react"]);

/**
 * Returns true for the answer of the message tool to a call that showed something in the conversation of the turn.
 * @param message - answer to a tool call
 * @param origin - conversation of the turn
 */
export function wasDelivered(message: AgentMessage, origin: ReplyPlace): boolean {
  if (message.role !== "toolResult" || message.toolName !== "message" || message.isError) {
    return false;
  }
  const { action, channel, to, accountId, threadId } = placeOf(message.details);
  return (
    SHOWING.has(action) &&
    channel === origin.channel &&
    to === origin.channelId &&
    accountId === (origin.accountId ?? "default") &&
    threadId === origin.threadId
  );
}

function placeOf(details: unknown): Readonly<Record<string, unknown>> {
  return typeof details === "object" && details !== null ? { ...details } : {};
}
