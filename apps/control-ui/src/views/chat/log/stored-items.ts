import { shownText } from "@openclaw/client/conversation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { text } from "../messages.js";
import type { Item, Part, ReplyItem, StoredImageId, ToolPart, ToolState } from "./item.js";

/** Page of a conversation as the gateway stores it. */
export type History = GatewayMethodResult<"chat.history">;

type Message = History["messages"][number];
type Run = History["runs"][number];

/** States of a turn that has not ended. */
const OPEN: ReadonlySet<Run["state"]> = new Set(["queued", "running", "awaiting_approval"]);

/**
 * Returns true for a turn that has not ended.
 * @param run - turn
 */
export function isOpenRun({ state }: Run): boolean {
  return OPEN.has(state);
}

/**
 * Returns the entries of a page of the history: messages of people, and one reply for what a turn wrote together.
 * @param history - page
 */
export function storedItems({ sessionKey, messages, runs }: History): readonly Item[] {
  const items: Item[] = [];
  const ofRun = new Map(runs.map((run) => [run.runId, run] as const));
  const replies = new Map<string, number>();
  const blockers = new Map(
    messages.map(({ runId = "", blockedBy }) => [runId, blockedBy] as const),
  );
  let reply: ReplyItem | undefined;
  for (const message of messages) {
    if (message.role === "user") {
      reply = undefined;
      items.push(messageItem(message, sessionKey));
      continue;
    }
    if (reply === undefined || reply.runId !== message.runId) {
      const count = (replies.get(message.runId ?? "") ?? 0) + 1;
      replies.set(message.runId ?? "", count);
      reply = replyItem(message, count);
      items.push(reply);
    }
    addParts(reply, message, sessionKey);
  }
  for (const item of items) {
    const run = item.kind === "reply" ? ofRun.get(item.runId ?? "") : undefined;
    if (item.kind === "reply" && run !== undefined) {
      item.problem.value = problemOf(run, blockers.get(run.runId));
      settleCalls(item.parts.value, run);
    }
  }
  return withFailures(items, runs, messages);
}

/** Shows calls without a result as what the state of their turn says. */
function settleCalls(parts: readonly Part[], { state, startedToolCalls = [] }: Run): void {
  for (const part of parts) {
    if (part.kind !== "tool" || part.state.value.status !== "running") continue;
    const status = !OPEN.has(state)
      ? "interrupted"
      : startedToolCalls.includes(part.id)
        ? "running"
        : "waiting";
    part.state.value = { ...part.state.value, status };
  }
}

/** Adds an empty reply where a turn failed before it wrote anything. */
function withFailures(
  items: readonly Item[],
  runs: readonly Run[],
  messages: readonly Message[],
): readonly Item[] {
  const replied = new Set(items.flatMap((item) => (item.kind === "reply" ? [item.runId] : [])));
  const failed = new Map(
    runs
      .filter((run) => problemOf(run) !== undefined && !replied.has(run.runId))
      .map((run) => [run.messageId, run] as const),
  );
  if (failed.size === 0) return items;
  const atOf = new Map(messages.map(({ messageId, at }) => [messageId, at] as const));
  return items.flatMap((item) => {
    const messageId = item.kind === "message" ? item.key.slice(1) : "";
    const run = failed.get(messageId);
    if (run === undefined) return [item];
    const reply = emptyReply(replyKey(run.runId), run.runId, atOf.get(messageId));
    reply.problem.value = problemOf(run);
    return [item, reply];
  });
}

/**
 * Returns the key of the first reply of a turn.
 * @param runId - ID of the turn
 */
export function replyKey(runId: string): string {
  return `r${runId}`;
}

/** Returns the key of a message. */
export function messageKey(messageId: string): string {
  return `m${messageId}`;
}

/**
 * Creates a reply without parts.
 * @param key - key on the page
 * @param runId - ID of the turn
 * @param at - time, in milliseconds since the epoch
 */
export function emptyReply(key: string, runId?: string, at?: number): ReplyItem {
  return {
    ...{ kind: "reply", key, runId, at },
    model: signal(undefined),
    through: signal(undefined),
    parts: signal([]),
    problem: signal(undefined),
  };
}

function messageItem(message: Message, sessionKey: string): Item {
  const { id, messageId, at, seq, content } = message;
  const key = messageId === undefined ? id : messageKey(messageId);
  const images = imagesOf(message, sessionKey);
  return { kind: "message", key, text: shownText(content), isForeign: false, at, seq, images };
}

function replyItem({ id, runId, at }: Message, count: number): ReplyItem {
  if (runId === undefined) return emptyReply(id, undefined, at);
  return emptyReply(count === 1 ? replyKey(runId) : `${replyKey(runId)}#${count}`, runId, at);
}

function addParts(reply: ReplyItem, message: Message, sessionKey: string): void {
  reply.through.value = message.seq;
  const parts = [...reply.parts.value];
  if (message.role === "toolResult") {
    const call = parts.find((part) => part.kind === "tool" && part.id === message.toolCallId);
    if (call?.kind === "tool") {
      call.state.value = resultOf(message, sessionKey);
    }
    return;
  }
  for (const [index, content] of message.content.entries()) {
    if (content.type === "toolCall") {
      parts.push(toolPart(content.toolCallId, content.toolName, content.params));
    } else if (content.type === "text" || content.type === "thinking") {
      if (content.text === "") continue;
      const id = `${message.id}.${index}`;
      parts.push({ kind: content.type, id, markdown: signal(content.text) });
    } else {
      const label = content.type === "file" ? (content.name ?? content.mimeType) : content.mimeType;
      const markdown = signal(text.attachment(label));
      parts.push({ kind: "text", id: `${message.id}.${index}`, markdown });
    }
  }
  reply.parts.value = parts;
}

function imagesOf({ seq, content }: Message, sessionKey: string): readonly StoredImageId[] {
  const images = content.filter(({ type }) => type === "image");
  return images.map((_, index) => ({ sessionKey, seq, image: index + 1 }));
}

function resultOf(message: Message, sessionKey: string): ToolState {
  const { isError, failure, content, details } = message;
  const guidance = content.flatMap((part) =>
    part.type === "text" && part.guidanceOf !== undefined
      ? [{ pluginId: part.guidanceOf, text: part.text }]
      : [],
  );
  const said = content.flatMap((part) =>
    part.type === "text" && part.guidanceOf === undefined ? [part.text] : [],
  );
  return {
    status: failure ?? (isError === true ? "failed" : "ok"),
    output: said.join("\n"),
    images: imagesOf(message, sessionKey),
    ...{ details, guidance },
  };
}

/**
 * Creates a tool call that is running.
 * @param id - ID of the call
 * @param name - name of the tool
 * @param params - parameters
 */
export function toolPart(id: string, name: string, params: unknown): ToolPart {
  return { kind: "tool", id, name, params, state: signal({ status: "running", output: "" }) };
}

function problemOf({ state, error }: Run, blockedBy?: string) {
  if (state === "interrupted") return { text: text.stopped, isError: false };
  if (state === "blocked") return { text: text.blockedBy(blockedBy), isError: false };
  if (state !== "failed") return undefined;
  return { text: error?.message ?? text.failed, isError: true };
}

/**
 * Takes what only the page knows of a reply over to its stored form: durations, rules, and what the gateway did not store.
 * @param stored - reply of the history
 * @param live - the same reply as it streamed
 */
export function completed(stored: ReplyItem, live: ReplyItem): ReplyItem {
  const known = new Map(
    live.parts.value.flatMap((part) => (part.kind === "tool" ? [[part.id, part] as const] : [])),
  );
  const parts: readonly Part[] = stored.parts.value;
  for (const part of parts) {
    const before = part.kind === "tool" ? known.get(part.id)?.state.value : undefined;
    if (part.kind !== "tool" || before === undefined) continue;
    const { durationMs, rule } = before;
    part.state.value = { ...part.state.value, durationMs, rule };
  }
  // An interrupted turn may not be stored; what was read stays readable.
  const shown = stored.problem.value !== undefined && parts.length < live.parts.value.length;
  for (const part of shown ? live.parts.value : []) {
    if (part.kind !== "tool" || part.state.value.status !== "running") continue;
    part.state.value = { ...part.state.value, status: "interrupted" };
  }
  live.parts.value = shown ? live.parts.value : parts;
  live.problem.value = stored.problem.value;
  live.through.value = stored.through.value;
  return live.at === undefined ? { ...live, at: stored.at } : live;
}
