import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { viewKeys } from "../../shell/keyboard.js";
import { announce } from "../../state/announcement.js";
import { inbox } from "../../state/approvals.js";
import { faultOf } from "../../state/fault.js";
import { models } from "../../state/host.js";
import { call, connection, gateway, mayCall } from "../../state/link.js";
import { sessions } from "../../state/sessions.js";
import { toast } from "../../state/toast.js";
import { sessionTitle } from "../sessions/row.js";
import { ChatBar } from "./chat-bar.js";
import { NewSessionDialog } from "./choice-dialogs.js";
import { Composer } from "./composer/composer.js";
import { followDrafts } from "./composer/drafts.js";
import type { Conversation } from "./conversation.js";
import { closeConversation, current, openConversation } from "./current.js";
import { FindBar } from "./find-bar.js";
import { callKey, type Item } from "./log/item.js";
import { type ListRow, MessageList } from "./message-list.js";
import { text } from "./messages.js";
import { ApprovalCard } from "./parts/approval-card.js";
import { Message, Note, WaitingMessage } from "./parts/message.js";
import { Reply } from "./parts/reply.js";
import { SessionList } from "./session-list.js";
import "../../styles/views/chat.css";

/** Conversation of a session, beside the list of them. */
export function ChatView() {
  const [path, navigate] = useLocation();
  const asked = /^\/chat\/([^/]+)/.exec(path)?.[1];
  const sessionKey = asked === undefined ? undefined : decodeURIComponent(asked);
  const isFinding = useSignal(false);
  const isStarting = useSignal(false);
  const over = connection.value;
  const isOpen = gateway.value !== undefined;
  const mayRead = mayCall("chat.history");
  const go = (key: string) => navigate(`/chat/${encodeURIComponent(key)}`);
  useEffect(() => followDrafts(), []);
  useEffect(() => {
    if (sessionKey === undefined || over === undefined || !isOpen || !mayRead) return;
    if (sessionKey.startsWith("agent:")) {
      openConversation(sessionKey);
      return;
    }
    // The gateway knows the full key of a short one.
    call("chat.history", { sessionKey, limit: 1 }).then(
      (found) => navigate(`/chat/${encodeURIComponent(found.sessionKey)}`, { replace: true }),
      () => undefined,
    );
  }, [sessionKey, over, isOpen, mayRead]);
  useEffect(() => () => closeConversation(), []);
  useEffect(() => {
    isFinding.value = false;
  }, [sessionKey]);
  const begin = (agentId?: string) => {
    isStarting.value = false;
    call("sessions.create", agentId === undefined ? {} : { agentId }).then(
      (created) => go(created.sessionKey),
      (error: unknown) => {
        toast.value = { text: faultOf(error).message };
      },
    );
  };
  const startNew = () => {
    if ((models.value?.agents.length ?? 1) > 1) isStarting.value = true;
    else begin();
  };
  useLayoutEffect(() => {
    const own = [
      { key: "/", title: text.find, run: () => (isFinding.value = true) },
      { key: "c", title: text.newSession, run: startNew },
    ];
    viewKeys.value = [...viewKeys.peek(), ...own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  const conversation = current.value?.sessionKey === sessionKey ? current.value : undefined;
  const row = sessions.value?.find((each) => each.sessionKey === sessionKey);
  const agent = /^agent:([^:]+):/.exec(sessionKey ?? "")?.[1] ?? "";
  const title = row === undefined ? (sessionKey ?? text.title) : sessionTitle(row);
  if (isOpen && !mayRead) {
    return (
      <div class="empty">
        <h1>{text.noRight}</h1>
        <p>{text.noRightHint}</p>
      </div>
    );
  }
  return (
    <>
      <ChatBar
        conversation={conversation}
        title={title}
        agent={agent}
        onFind={() => {
          isFinding.value = true;
        }}
      />
      <div class={sessionKey === undefined ? "chat-split none" : "chat-split"}>
        <SessionList sessionKey={sessionKey} onNew={startNew} />
        {conversation !== undefined && (
          <div class="chat">
            {isFinding.value && (
              <Finding
                conversation={conversation}
                agent={agent}
                onClose={() => {
                  isFinding.value = false;
                }}
              />
            )}
            {!isFinding.value && <Entries conversation={conversation} agent={agent} />}
            <Composer key={conversation.sessionKey} conversation={conversation} agent={agent} />
          </div>
        )}
        {sessionKey === undefined && (
          <div class="empty">
            <h2>{text.noneOpen}</h2>
            <button class="btn primary" type="button" onClick={startNew}>
              {text.newSession}
            </button>
          </div>
        )}
      </div>
      {isStarting.value && (
        <NewSessionDialog
          onStart={begin}
          onClose={() => {
            isStarting.value = false;
          }}
        />
      )}
    </>
  );
}

function Finding(props: { conversation: Conversation; agent: string; onClose(): void }) {
  const marked = useSignal<string | undefined>(undefined);
  return (
    <>
      <FindBar
        conversation={props.conversation}
        onMatch={(key) => {
          marked.value = key;
        }}
        onClose={props.onClose}
      />
      <Entries conversation={props.conversation} agent={props.agent} marked={marked.value} />
    </>
  );
}

/** Entries, requests and waiting messages of a conversation. */
function Entries({
  conversation,
  agent,
  marked,
}: {
  conversation: Conversation;
  agent: string;
  marked?: string | undefined;
}) {
  const items = conversation.log.items.value;
  const isBusy = conversation.isBusy.value;
  const streaming = isBusy ? items.findLast(({ kind }) => kind === "reply")?.key : undefined;
  const known = useMemo(() => new Map<unknown, ListRow>(), [conversation, agent]);
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
        <Reply item={item} agent={agent} isStreaming={isStreaming} />
      ) : item.kind === "message" ? (
        <Message item={item} />
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
  own.forEach(({ text: words, state }, index) => {
    if (state === "queued") position += 1;
    const word = state === "queued" ? text.queuedAs(position, count) : WAITING[state];
    rows.push({
      key: `p${index} ${words}`,
      content: <WaitingMessage words={words} state={word} />,
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
