import { defined } from "@openclaw/foundation";
import type { AgentMessage, UserMessage } from "@openclaw/plugin-sdk/tools";
import type { ShownHistory, Store, TranscriptEntry } from "@openclaw/store";
import type { TurnRequest } from "../context/request.js";
import type { ResumeState } from "../journal/resume-state.js";

/** The conversation before a turn's message, as sent to models. */
export interface ConversationHistory {
  readonly messages: readonly AgentMessage[];
  /**
   * Place of each message in the stored transcript; undefined for a summary, and for messages that a
   * caller brought.
   */
  readonly places: readonly (number | undefined)[];
  /** Describes the first message if it is a summary. */
  readonly summary?: ShownHistory["summary"] | undefined;
}

/** Dependencies of {@link loadHistory}. */
export interface HistoryDependencies {
  readonly store: Store;
  readonly resumeState: Pick<ResumeState, "firstPlace">;
}

/** The conversation of a request: a stored one, or the messages that its caller brought. */
type Conversation = Pick<TurnRequest, "sessionId" | "history">;

/**
 * Loads the messages of a session that models are shown: its transcript from the last compaction on, behind
 * the summary of the part before.
 * @param conversation - session of the turn, and the history that its caller brought
 * @param dependencies - store and resume state
 */
export async function loadHistory(
  { sessionId, history }: Conversation,
  { store, resumeState }: HistoryDependencies,
): Promise<ConversationHistory> {
  if (history !== undefined) return brought(history);
  const { transcript, compactions } = store.messages;
  const compaction = await compactions.latest(sessionId);
  const afterSeq = compaction?.upToSeq;
  // The transcript of a turn that is resumed contains messages of that turn.
  const beforeSeq = resumeState.firstPlace;
  const stored =
    beforeSeq === undefined
      ? await transcript.messages(sessionId, afterSeq)
      : historyOf(await transcript.load(sessionId, { afterSeq, beforeSeq }));
  return compaction?.summary === undefined
    ? stored
    : behindSummary(compaction.summary, compaction.createdAt, stored);
}

/**
 * Returns a conversation whose older part is replaced by a summary.
 * @param summary - summary of the older part
 * @param timestamp - time of the summary, in milliseconds since the epoch
 * @param rest - messages after the summary
 */
export function behindSummary(
  summary: string,
  timestamp: number,
  rest: ConversationHistory,
): ConversationHistory {
  const message: UserMessage = {
    role: "user",
    content: [{ type: "text", text: `${SUMMARY_HEAD}${summary}` }],
    timestamp,
  };
  return {
    messages: [message, ...rest.messages],
    places: [undefined, ...rest.places],
    summary: { text: summary, at: timestamp },
  };
}

const SUMMARY_HEAD = "[Summary of the conversation so far]\n";

/**
 * Returns true for the message that stands for the older part of a conversation.
 * @param message - first message of a conversation
 */
export function isSummary({ role, content: [part] }: AgentMessage): boolean {
  return role === "user" && part?.type === "text" && part.text.startsWith(SUMMARY_HEAD);
}

/**
 * Returns the end of a conversation, without its summary.
 * @param history - the full conversation
 * @param start - index of the first message to keep, from 1
 */
export function historyFrom(
  { messages, places }: ConversationHistory,
  start: number,
): ConversationHistory {
  return { messages: messages.slice(start), places: places.slice(start) };
}

/**
 * Describes the messages sent to a model by their places in the transcript.
 * @param history - messages sent to the model
 * @param broughtCount - number of messages that the caller provided
 */
export function shownOf(
  { summary, places, messages }: ConversationHistory,
  broughtCount: number,
): ShownHistory {
  const spoken = messages.length - (summary === undefined ? 0 : 1);
  const stored = places.filter((place) => place !== undefined);
  const [from] = stored;
  const to = stored.at(-1);
  return defined({
    summary,
    entries: from === undefined || to === undefined ? undefined : { from, to },
    broughtFrom: stored.length < spoken ? broughtCount - spoken : undefined,
  });
}

/**
 * Loads the messages that a model was shown before.
 * @param conversation - session of the turn, and the history that its caller brought
 * @param shown - places of the messages
 * @param store - with the transcript
 */
export async function loadShown(
  conversation: Conversation,
  { summary, entries, broughtFrom }: ShownHistory,
  store: Store,
): Promise<ConversationHistory> {
  let history = brought([]);
  if (broughtFrom !== undefined) history = brought(conversation.history?.slice(broughtFrom) ?? []);
  else if (entries !== undefined) {
    const range = { afterSeq: entries.from - 1, beforeSeq: entries.to + 1 };
    history = historyOf(await store.messages.transcript.load(conversation.sessionId, range));
  }
  return summary === undefined ? history : behindSummary(summary.text, summary.at, history);
}

function historyOf(entries: readonly TranscriptEntry[]): ConversationHistory {
  return {
    messages: entries.map(({ message }) => message),
    places: entries.map(({ seq }) => seq),
  };
}

/** Copies the messages: hooks receive frozen messages, and the caller's own must not be frozen. */
function brought(history: readonly AgentMessage[]): ConversationHistory {
  const messages = structuredClone([...history]);
  return { messages, places: messages.map(() => undefined) };
}
