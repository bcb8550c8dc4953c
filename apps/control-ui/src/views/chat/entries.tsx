import { useEffect, useMemo } from "preact/hooks";
import { FaultNote } from "../../components/fault-note.js";
import { announce } from "../../state/announcement.js";
import { inbox } from "../../state/approvals.js";
import type { Conversation } from "./conversation.js";
import { callKey, type Item } from "./log/item.js";
import { type ListRow, MessageList } from "./message-list.js";
import { text } from "./messages.js";
import { ApprovalCard } from "./parts/approval-card.js";
import type { ForkAction } from "./parts/fork-button.js";
import { Message, Note, WaitingMessage } from "./parts/message.js";
import { Reply } from "./parts/reply.js";

/** Entries, requests and waiting messages of a conversation. */
export function Entries({
  conversation,
  agent,
  onFork,
  marked,
}: {
  conversation: Conversation;
  agent: string;
  onFork: ForkAction | undefined;
  marked?: string | undefined;
}) {
  const items = conversation.log.items.value;
  const isBusy = conversation.isBusy.value;
  const streaming = isBusy ? items.findLast(({ kind }) => kind === "reply")?.key : undefined;
  const known = useMemo(() => new Map<unknown, ListRow>(), [conversation, agent, onFork]);
  useEffect(() => {
    if (!isBusy && conversation.isRead.peek()) announce(text.replied(agent));
  }, [isBusy]);
  const rows: ListRow[] = items.map((item) => {
    const isStreaming = item.key === streaming;
    const before = known.get(item);
    // An entry that did not change is not rendered again.
    if (before !== undefined && !isStreaming) return before;
    const content =
      item.kind === "reply" ? (
        <Reply item={item} agent={agent} isStreaming={isStreaming} onFork={onFork} />
      ) : item.kind === "message" ? (
        <Message item={item} onFork={onFork} />
      ) : (
        <Note item={item} />
      );
    const row = { key: item.key, content };
    if (!isStreaming) known.set(item, row);
    return row;
  });
  const shown = new Set(items.slice(-RECENT).flatMap(callsOf));
  for (const approval of inbox.value) {
    // The card of its call has it.
    if (shown.has(callKey(approval.runId, approval.toolCallId))) continue;
    const isOfSubagent = isBusy && /^agent:[^:]+:subagent:/.test(approval.sessionKey);
    if (approval.sessionKey !== conversation.sessionKey && !isOfSubagent) continue;
    const card = (
      <ApprovalCard
        approval={approval}
        isOfSubagent={approval.sessionKey !== conversation.sessionKey}
      />
    );
    rows.push({ key: `a${approval.id}`, content: card });
  }
  const own = conversation.pending.value;
  const others = without(
    conversation.queued.value,
    own.map((each) => each.text),
  );
  const count = others.length + own.filter(({ state }) => state === "queued").length;
  others.forEach((words, index) => {
    const content = <WaitingMessage words={words} state={text.queuedAs(index + 1, count)} />;
    rows.push({ key: `q${index} ${words}`, content });
  });
  let position = others.length;
  own.forEach(({ text: words, state, isStored, uploadBytes }, index) => {
    if (state === "queued") position += 1;
    const word =
      state === "queued"
        ? text.queuedAs(position, count)
        : state === "waiting" && isStored === true
          ? text.stored
          : uploadBytes !== undefined
            ? text.uploading(megabytes(uploadBytes))
            : WAITING[state];
    rows.push({
      key: `p${index} ${words}`,
      content: (
        <WaitingMessage words={words} state={word} isUploading={uploadBytes !== undefined} />
      ),
    });
  });
  const fault = conversation.fault.value;
  const isEmpty = rows.length === 0 && conversation.isRead.value;
  return (
    <>
      {fault !== undefined && (
        <div class="pad">
          <FaultNote fault={fault} />
        </div>
      )}
      {isEmpty ? (
        <div class="scroll-area empty">
          <h2>{text.empty}</h2>
          <p>{text.emptyHint}</p>
        </div>
      ) : (
        <MessageList
          key={conversation.sessionKey}
          rows={rows}
          marked={marked}
          onStart={() => void conversation.readEarlier()}
        />
      )}
      <p class="activity dim t12" role="status">
        {conversation.activity.delay.value}
      </p>
    </>
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 });
}

/** Entries at the end, among whose calls those of open requests are. */
const RECENT = 20;

function callsOf(item: Item): readonly string[] {
  if (item.kind !== "reply") return [];
  return item.parts.value.flatMap((part) =>
    part.kind === "tool" ? [callKey(item.runId, part.id)] : [],
  );
}

const WAITING = {
  waiting: text.pending,
  steering: text.steering,
  interrupting: text.interrupting,
} as const;

/** Returns the texts without one of each of the others. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return texts.filter((each) => {
    const index = left.findIndex((other) => other.startsWith(each) || each.startsWith(other));
    if (index < 0) return true;
    left.splice(index, 1);
    return false;
  });
}
