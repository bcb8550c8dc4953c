import { defined } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import type { Store, TranscriptEntry, Turn } from "@openclaw/store";

const DEFAULT_LIMIT = 50;
/** Size of a page, in UTF-16 code units of JSON, after which no further message is added. */
const MAXIMUM_SIZE = 512 * 1024;

/** Dependencies of {@link readHistory}. */
export interface HistoryDependencies {
  readonly store: Pick<Store, "messages" | "sessions" | "turns">;
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
  /**
   * Returns the turns of a session that have not ended, in order.
   * @param sessionKey - full key
   */
  openTurns(sessionKey: string): readonly Turn[];
}

type Parameters = GatewayMethodParameters<"chat.history">;
type Result = GatewayMethodResult<"chat.history">;
type HistoryMessage = Result["messages"][number];
type HistoryPart = HistoryMessage["content"][number];
type HistoryRun = Result["runs"][number];

/**
 * Reads messages of a session and the states of their turns (`chat.history`, GW-024).
 * @param parameters - session, position and maximum number
 * @param dependencies - stored conversations, and open turns
 */
export async function readHistory(
  { sessionKey: key, before, limit = DEFAULT_LIMIT }: Parameters,
  { store, fullKey, openTurns }: HistoryDependencies,
): Promise<Result> {
  const sessionKey = fullKey(key);
  const session = await store.sessions.get(sessionKey);
  const entries =
    session === undefined
      ? []
      : await store.messages.transcript.load(session.sessionId, {
          limit,
          ...defined({ beforeSeq: before }),
        });
  const shown = newest(entries);
  const ids = new Set(shown.flatMap(({ runId }) => (runId === undefined ? [] : [runId])));
  if (before === undefined) for (const { runId } of openTurns(sessionKey)) ids.add(runId);
  const turns = await Promise.all([...ids].map((runId) => store.turns.get(runId)));
  const runs = new Map(
    turns.flatMap((turn) => (turn === undefined ? [] : [[turn.runId, runOf(turn)] as const])),
  );
  return {
    sessionKey,
    messages: shown.map((entry) => messageOf(entry, runs)),
    runs: [...runs.values()],
    hasMore: (shown[0]?.seq ?? 1) > 1,
  };
}

/** Returns the newest entries that fit on a page, at least one. */
function newest(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  let size = 0;
  const first = entries.findLastIndex(({ message }) => {
    size += JSON.stringify(message.content).length;
    return size > MAXIMUM_SIZE;
  });
  return entries.slice(Math.min(first + 1, entries.length - 1));
}

function messageOf(
  { entryId: id, seq, createdAt: at, message, runId }: TranscriptEntry,
  runs: ReadonlyMap<string, HistoryRun>,
): HistoryMessage {
  const { role } = message;
  const messageId = runId === undefined ? undefined : runs.get(runId)?.messageId;
  const head = { id, seq, at, role, content: contentOf(message), ...defined({ runId, messageId }) };
  if (message.role === "assistant") {
    return { ...head, ...defined({ blockedBy: message.gate?.blockedBy }) };
  }
  if (message.role !== "toolResult") return head;
  const { toolCallId, toolName, isError } = message;
  return { ...head, toolCallId, toolName, isError };
}

/** Returns the parts of a message as the user saw them, without the data of images and files. */
function contentOf(message: AgentMessage): HistoryMessage["content"] {
  const deliveredText = message.role === "assistant" ? message.deliveredText : undefined;
  const content: HistoryPart[] = [];
  for (const part of message.content) {
    if (part.type === "image") content.push({ type: "image", mimeType: part.mimeType });
    else if (part.type === "file") {
      content.push({ type: "file", mimeType: part.mimeType, ...defined({ name: part.name }) });
    } else if (part.type === "thinking") {
      if (part.text !== "") content.push({ type: "thinking", text: part.text });
    } else if (part.type === "toolCall") {
      // What only the provider reads is left out.
      const { providerData: _, ...call } = part;
      content.push(call);
    } else if (deliveredText === undefined) content.push({ type: "text", text: part.text });
  }
  if (deliveredText !== undefined) content.push({ type: "text", text: deliveredText });
  return content;
}

function runOf({ runId, inboxId, state, error }: Turn): HistoryRun {
  const failure = error && { code: error.code, message: error.message };
  return { runId, messageId: inboxId, state, ...defined({ error: failure }) };
}
