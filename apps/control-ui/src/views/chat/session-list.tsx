import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { useRowWindow } from "../../components/row-window.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { gateway } from "../../state/link.js";
import { refusalOf } from "../../state/refusal.js";
import { loadMoreSessions, loadSessions, newSessions, sessions } from "../../state/sessions.js";
import { shortTime } from "../../text/format.js";
import { sessionTitle } from "../sessions/row.js";
import { text } from "./messages.js";

/** Time in milliseconds after the last letter until the list is read. */
const TYPING_MS = 200;

/** Distance from the end in pixels from which the next page is read. */
const NEAR_END = 400;

/** Sessions beside the conversation, most recently used first. */
export function SessionList({
  sessionKey,
  onNew,
}: {
  sessionKey: string | undefined;
  onNew(): void;
}) {
  const reason = refusalOf("operator.write");
  const wanted = useSignal("");
  const isOpen = gateway.value !== undefined;
  // A session that is new is on the list at once, because a person comes here to talk in it.
  const isNew = newSessions.value > 0;
  useEffect(() => {
    if (!isOpen) return undefined;
    const typed = wanted.value.trim();
    const filter = { archived: false, ...(typed === "" ? {} : { text: typed }) };
    const timer = setTimeout(() => void loadSessions(filter), typed === "" ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted.value, isOpen, isNew]);
  const all = sessions.value ?? [];
  const aside = useRef<HTMLElement>(null);
  const rows = useRef<HTMLElement>(null);
  const { from, to } = useRowWindow(aside, rows, all.length, ({ below }) => {
    if (below < NEAR_END) void loadMoreSessions();
  });
  return (
    <aside ref={aside} class="chat-list" aria-label={text.sessions}>
      <div class="filters">
        <div class="search grow">
          <input
            class="input"
            type="search"
            placeholder={text.findSession}
            aria-label={text.findSession}
            value={wanted.value}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
          />
        </div>
        <button
          class="btn small icon"
          type="button"
          aria-label={text.newSession}
          aria-disabled={reason !== undefined}
          title={reason ?? text.newSession}
          onClick={() => {
            if (reason === undefined) onNew();
          }}
        >
          +
        </button>
      </div>
      <nav ref={rows} class="rows sess-s" aria-label={text.recent}>
        {all.slice(from, to).map((session) => {
          const { sessionKey: key, state, updatedAt, agentId, channel } = session;
          const word = state === undefined ? "" : text.stateOf(state);
          return (
            <Link
              key={key}
              href={`/chat/${encodeURIComponent(key)}`}
              class="row"
              aria-current={key === sessionKey ? "true" : undefined}
            >
              <span>
                <StateMark state={markOf(state ?? "queued")} label={word} />
              </span>
              <span class="two">
                <strong>{sessionTitle(session)}</strong>
                <span class="sub t12">
                  {[agentId, channel].filter((each) => each !== undefined).join(" · ")}
                </span>
              </span>
              <span class="end sub t12">{shortTime(updatedAt)}</span>
            </Link>
          );
        })}
        {sessions.value?.length === 0 && <p class="pad dim t12">{text.noSession}</p>}
      </nav>
    </aside>
  );
}
