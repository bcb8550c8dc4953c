import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { viewKeys } from "../../shell/keyboard.js";
import { faultOf } from "../../state/fault.js";
import { call, connection, gateway, mayCall, missingScope } from "../../state/link.js";
import { refusalOf } from "../../state/refusal.js";
import { sessions } from "../../state/sessions.js";
import { toast } from "../../state/toast.js";
import { sessionTitle } from "../sessions/row.js";
import { Changes } from "./changes/view.js";
import { ChatBar } from "./chat-bar.js";
import { Composer } from "./composer/composer.js";
import { followDrafts } from "./composer/drafts.js";
import type { Conversation } from "./conversation.js";
import { closeConversation, current, openConversation } from "./current.js";
import { Entries } from "./entries.js";
import { FindBar } from "./find-bar.js";
import { forkConversation } from "./fork.js";
import { text } from "./messages.js";
import { useNewSession } from "./new-session.js";
import type { ForkAction } from "./parts/fork-button.js";
import { SessionList } from "./session-list.js";
import "../../styles/views/chat.css";

/** Conversation of a session, beside the list of them. */
export function ChatView() {
  const [path, navigate] = useLocation();
  const asked = /^\/chat\/([^/]+)/.exec(path)?.[1];
  const sessionKey = asked === undefined ? undefined : decodeURIComponent(asked);
  const isFinding = useSignal(false);
  const isReviewing = useSignal(false);
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
    isReviewing.value = false;
  }, [sessionKey]);
  const { begin: startNew, dialog: startDialog } = useNewSession(go, (error) => {
    toast.value = { text: faultOf(error).message };
  });
  const reason = refusalOf("operator.write");
  const mayFork = missingScope("operator.write") === undefined;
  const fork = useMemo<ForkAction | undefined>(
    () =>
      mayFork && sessionKey !== undefined
        ? (through, draft) =>
            void forkConversation(sessionKey, through, draft).then(
              (key) => go(key),
              (error: unknown) => {
                toast.value = { text: faultOf(error).message };
              },
            )
        : undefined,
    [sessionKey, mayFork],
  );
  useLayoutEffect(() => {
    const own = [
      { key: "/", title: text.find, run: () => (isFinding.value = true) },
      ...(reason === undefined ? [{ key: "c", title: text.newSession, run: startNew }] : []),
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
        onReview={() => {
          isReviewing.value = !isReviewing.value;
        }}
      />
      <div class={sessionKey === undefined ? "chat-split none" : "chat-split"}>
        <SessionList sessionKey={sessionKey} onNew={startNew} />
        {conversation !== undefined && (
          <div class="chat">
            {isReviewing.value && (
              <Changes
                conversation={conversation}
                onClose={() => {
                  isReviewing.value = false;
                }}
              />
            )}
            {isFinding.value && !isReviewing.value && (
              <Finding
                conversation={conversation}
                agent={agent}
                onFork={fork}
                onClose={() => {
                  isFinding.value = false;
                }}
              />
            )}
            {!isFinding.value && !isReviewing.value && (
              <Entries conversation={conversation} agent={agent} onFork={fork} />
            )}
            <Composer key={conversation.sessionKey} conversation={conversation} agent={agent} />
          </div>
        )}
        {sessionKey === undefined && (
          <div class="empty">
            <h2>{text.noneOpen}</h2>
            <button
              class="btn primary"
              type="button"
              aria-disabled={reason !== undefined}
              title={reason}
              onClick={() => {
                if (reason === undefined) startNew();
              }}
            >
              {text.newSession}
            </button>
          </div>
        )}
      </div>
      {startDialog}
    </>
  );
}

function Finding(props: {
  conversation: Conversation;
  agent: string;
  onFork: ForkAction | undefined;
  onClose(): void;
}) {
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
      <Entries
        conversation={props.conversation}
        agent={props.agent}
        onFork={props.onFork}
        marked={marked.value}
      />
    </>
  );
}
