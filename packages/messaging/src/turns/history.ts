import { defined } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import type { Store, TranscriptEntry, Turn } from "@openclaw/store";
import { ImageNotFoundError } from "../errors.js";

const DEFAULT_LIMIT = 50;
/** Size of a page, in UTF-16 code units of JSON, after which no further message is added. */
const MAXIMUM_SIZE = 512 * 1024;

/** States of turns that have not ended. */
const OPEN: ReadonlySet<Turn["state"]> = new Set(["queued", "running", "awaiting_approval"]);

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
  const open = openTurns(sessionKey);
  const load = async () =>
    session === undefined
      ? []
      : await store.messages.transcript.load(session.sessionId, {
          limit,
          ...defined({ beforeSeq: before }),
        });
  let shown = newest(await load());
  const ids = new Set(shown.flatMap(({ runId }) => (runId === undefined ? [] : [runId])));
  if (before === undefined) for (const { runId } of openTurns(sessionKey)) ids.add(runId);
  const turns = await Promise.all([...ids].map((runId) => store.turns.get(runId)));
  // A turn that ended meanwhile is shown with its last messages, which were stored with its end.
  const ended = (turn: Turn | undefined) => turn !== undefined && !OPEN.has(turn.state);
  if (turns.some((turn) => ended(turn) && open.some(({ runId }) => runId === turn?.runId))) {
    shown = newest(await load());
  }
  const known = await Promise.all(
    turns.filter((turn) => turn !== undefined).map((turn) => runOf(turn, store.turns)),
  );
  const runs = new Map(known.map((run) => [run.runId, run] as const));
  return {
    sessionKey,
    messages: shown.map((entry) => messageOf(entry, runs)),
    runs: [...runs.values()],
    hasMore: (shown[0]?.seq ?? 1) > 1,
  };
}

/**
 * Reads an image of a message (`chat.image`).
 * @param parameters - session, position of the message, and number of the image
 * @param dependencies - stored conversations
 * @throws ImageNotFoundError
 */
export async function readImage(
  { sessionKey: key, seq, image }: GatewayMethodParameters<"chat.image">,
  { store, fullKey }: Pick<HistoryDependencies, "store" | "fullKey">,
): Promise<GatewayMethodResult<"chat.image">> {
  const sessionKey = fullKey(key);
  const session = await store.sessions.get(sessionKey);
  const entries =
    session === undefined
      ? []
      : await store.messages.transcript.load(session.sessionId, { limit: 1, beforeSeq: seq + 1 });
  const parts = entries.find((entry) => entry.seq === seq)?.message.content ?? [];
  const found = parts.filter((part) => part.type === "image")[image - 1];
  if (found === undefined) throw new ImageNotFoundError(sessionKey, seq, image);
  return { mimeType: found.mimeType, data: found.data };
}

/** Returns the newest entries that fit on a page, at least one. */
function newest(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  let size = 0;
  const first = entries.findLastIndex(({ message }) => {
    size += JSON.stringify(message.content).length;
    if (message.role === "toolResult") size += JSON.stringify(message.details ?? null).length;
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
  const { toolCallId, toolName, isError, failure, details, guidanceParts = 0 } = message;
  const first = head.content.length - guidanceParts;
  const content = head.content.map((part, index) => (index < first ? part : guidanceOf(part)));
  return { ...head, content, toolCallId, toolName, isError, ...defined({ failure, details }) };
}

/** Line before the guidance of a plugin, as the model reads it. */
const GUIDANCE = /^\[Guidance of plugin "([^"\n]*)"\]\n/;

function guidanceOf(part: HistoryPart): HistoryPart {
  const plugin = part.type === "text" ? GUIDANCE.exec(part.text) : null;
  if (part.type !== "text" || plugin === null) return part;
  return { type: "text", text: part.text.slice(plugin[0].length), guidanceOf: plugin[1] ?? "" };
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

/** States of a turn whose calls may run. */
const CALLING: ReadonlySet<Turn["state"]> = new Set(["running", "awaiting_approval"]);

async function runOf(
  { runId, inboxId, state, error }: Turn,
  turns: Pick<Store["turns"], "journal">,
): Promise<HistoryRun> {
  const failure = error && { code: error.code, message: error.message };
  const steps = CALLING.has(state) ? await turns.journal.load(runId) : [];
  const startedToolCalls = steps.flatMap(({ step }) =>
    step.kind === "tool-intended" ? [step.toolCallId] : [],
  );
  return {
    ...{ runId, messageId: inboxId, state },
    ...defined({
      error: failure,
      startedToolCalls: startedToolCalls.length === 0 ? undefined : startedToolCalls,
    }),
  };
}
