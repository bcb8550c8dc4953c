import type { AgentMessage, UserMessage } from "@openclaw/plugin-sdk/tools";
import type { ShownHistory, TranscriptEntry } from "@openclaw/store";
import type { TurnScope } from "../context/scope.js";

/** The conversation before a turn's message, as models are shown it. */
export interface ConversationHistory {
  readonly messages: readonly AgentMessage[];
  /**
   * Place of each message in the stored transcript; undefined for a summary, and for messages that a
   * caller brought.
   */
  readonly places: readonly (number | undefined)[];
  /** What the first message is, where that is a summary. */
  readonly summary?: NonNullable<ShownHistory["summary"]>;
}

/**
 * Loads what models are shown of a session: its transcript from the last compaction on, behind the
 * summary of what came before.
 * @param turn - the running turn
 */
export async function loadHistory({
  request,
  services,
  record,
}: TurnScope): Promise<ConversationHistory> {
  if (request.history !== undefined) return brought(request.history);
  const { compactions, transcript } = services.store;
  const compaction = await compactions.latest(request.sessionId);
  const entries = await transcript.load(request.sessionId, {
    ...(compaction === undefined ? {} : { afterSeq: compaction.upToSeq }),
    // Of a turn that is taken up again the transcript holds messages of its own.
    ...(record.firstPlace === undefined ? {} : { beforeSeq: record.firstPlace }),
  });
  const stored = historyOf(entries);
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
  return {
    messages: [message, ...rest.messages],
    places: [undefined, ...rest.places],
    summary: { text: summary, at: timestamp },
  };
}

/**
 * The end of a conversation, without its summary.
 * @param history - the whole
 * @param start - index of the first message to keep, from 1
 */
export function historyFrom(
  { messages, places }: ConversationHistory,
  start: number,
): ConversationHistory {
  return { messages: messages.slice(start), places: places.slice(start) };
}

/**
 * Names what a model is shown by its places.
 * @param history - what it is shown
 * @param broughtCount - how many messages the caller brought
 */
export function shownOf(
  { summary, places, messages }: ConversationHistory,
  broughtCount: number,
): ShownHistory {
  const spoken = messages.length - (summary === undefined ? 0 : 1);
  const stored = places.filter((place) => place !== undefined);
  const [from] = stored;
  const to = stored.at(-1);
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(from === undefined || to === undefined ? {} : { entries: { from, to } }),
    ...(stored.length < spoken ? { broughtFrom: broughtCount - spoken } : {}),
  };
}

/**
 * Loads what a model was shown before.
 * @param turn - the running turn
 * @param shown - its places
 */
export async function loadShown(
  { request, services }: TurnScope,
  { summary, entries, broughtFrom }: ShownHistory,
): Promise<ConversationHistory> {
  let history = brought([]);
  if (broughtFrom !== undefined) history = brought(request.history?.slice(broughtFrom) ?? []);
  else if (entries !== undefined) {
    const range = { afterSeq: entries.from - 1, beforeSeq: entries.to + 1 };
    history = historyOf(await services.store.transcript.load(request.sessionId, range));
  }
  return summary === undefined ? history : behindSummary(summary.text, summary.at, history);
}

function historyOf(entries: readonly TranscriptEntry[]): ConversationHistory {
  return {
    messages: entries.map(({ message }) => message),
    places: entries.map(({ seq }) => seq),
  };
}

/** A copy: hooks are shown frozen messages, and the caller's own are not to be frozen. */
function brought(history: readonly AgentMessage[]): ConversationHistory {
  const messages = structuredClone([...history]);
  return { messages, places: messages.map(() => undefined) };
}
