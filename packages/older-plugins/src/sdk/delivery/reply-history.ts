/** Message of a group that was not for the bot. */
export interface HistoryEntry {
  readonly sender: string;
  readonly body: string;
  readonly timestamp?: number;
  readonly messageId?: string;
}

/**
 * Number of messages that are kept for a group.
 * @deprecated Keep messages in the channel.
 */
export const DEFAULT_GROUP_HISTORY_LIMIT = 50;

/** Maximum number of groups whose messages are kept. */
const MOST_GROUPS = 1000;

/** Messages of groups by the key of the group. */
type HistoryMap = Map<string, HistoryEntry[]>;

/**
 * Keeps a message of a group for the context of the next one that is for the bot.
 * @param record - messages, group, limit and the message
 * @deprecated Keep messages in the channel.
 */
export function recordPendingHistoryEntryIfEnabled(record: {
  readonly historyMap: HistoryMap;
  readonly historyKey: string;
  readonly limit: number;
  readonly entry?: HistoryEntry | null;
}): HistoryEntry[] {
  const { historyMap, historyKey, limit, entry } = record;
  if (limit <= 0 || entry === null || entry === undefined) return [];
  const entries = [...(historyMap.get(historyKey) ?? []), entry].slice(-limit);
  // The groups that were used last are kept.
  historyMap.delete(historyKey);
  historyMap.set(historyKey, entries);
  const [oldest] = historyMap.keys();
  if (historyMap.size > MOST_GROUPS && oldest !== undefined) historyMap.delete(oldest);
  return entries;
}

/**
 * Returns a message after the kept messages of its group.
 * @param context - messages, group, limit, message, and the form of an entry
 * @deprecated Keep messages in the channel.
 */
export function buildPendingHistoryContextFromMap(context: {
  readonly historyMap: HistoryMap;
  readonly historyKey: string;
  readonly limit: number;
  readonly currentMessage: string;
  readonly formatEntry: (entry: HistoryEntry) => string;
  readonly lineBreak?: string;
}): string {
  const { historyMap, historyKey, limit, currentMessage, formatEntry, lineBreak = "\n" } = context;
  const entries = limit > 0 ? (historyMap.get(historyKey) ?? []) : [];
  if (entries.length === 0) return currentMessage;
  return [
    "[Messages of the group since your last reply]",
    ...entries.map(formatEntry),
    "",
    "[Message for you]",
    currentMessage,
  ].join(lineBreak);
}

/**
 * Removes the kept messages of a group, after a reply.
 * @param group - messages, group and limit
 * @deprecated Keep messages in the channel.
 */
export function clearHistoryEntriesIfEnabled(group: {
  readonly historyMap: HistoryMap;
  readonly historyKey: string;
  readonly limit: number;
}): void {
  if (group.limit > 0) group.historyMap.delete(group.historyKey);
}
