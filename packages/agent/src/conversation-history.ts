import type { AgentMessage, UserMessage } from "@openclaw/plugin-sdk/tools";
import type { TurnScope } from "./turn-scope.js";

/** The conversation before a turn's message, as models are shown it. */
export interface ConversationHistory {
  readonly messages: readonly AgentMessage[];
  /**
   * Place of each message in the stored transcript; undefined for a summary, and for messages that a
   * caller brought.
   */
  readonly places: readonly (number | undefined)[];
}

/**
 * Loads what models are shown of a session: its transcript from the last compaction on, behind the
 * summary of what came before.
 * @param turn - the running turn
 */
export async function loadHistory({ request, services }: TurnScope): Promise<ConversationHistory> {
  if (request.history !== undefined) {
    // A copy: hooks are shown frozen messages, and the caller's own are not to be frozen.
    const messages = structuredClone([...request.history]);
    return { messages, places: messages.map(() => undefined) };
  }
  const { compactions, transcript } = services.store;
  const compaction = await compactions.latest(request.sessionId);
  const entries = await transcript.load(
    request.sessionId,
    compaction === undefined ? {} : { afterSeq: compaction.upToSeq },
  );
  const stored: ConversationHistory = {
    messages: entries.map(({ message }) => message),
    places: entries.map(({ seq }) => seq),
  };
  return compaction?.summary === undefined
    ? stored
    : behindSummary(compaction.summary, compaction.createdAt, stored);
}

/**
 * A conversation whose older part a summary stands for.
 * @param summary - of the older part
 * @param timestamp - when it was made, in milliseconds since the epoch
 * @param rest - what follows
 */
export function behindSummary(
  summary: string,
  timestamp: number,
  rest: ConversationHistory,
): ConversationHistory {
  const message: UserMessage = {
    role: "user",
    content: [{ type: "text", text: `[Summary of the conversation so far]\n${summary}` }],
    timestamp,
  };
  return { messages: [message, ...rest.messages], places: [undefined, ...rest.places] };
}

/**
 * The end of a conversation.
 * @param history - the whole
 * @param start - index of the first message to keep
 */
export function historyFrom(
  { messages, places }: ConversationHistory,
  start: number,
): ConversationHistory {
  return { messages: messages.slice(start), places: places.slice(start) };
}
