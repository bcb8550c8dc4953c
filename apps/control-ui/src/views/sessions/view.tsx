import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useSearchParams } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { PageBar } from "../../components/page-bar.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { viewKeys } from "../../shell/keyboard.js";
import { gateway, isLive, mayCall } from "../../state/link.js";
import {
  type ListedSession,
  loadMoreSessions,
  loadSessions,
  newSessions,
  patchSessions,
  type SessionFilter,
  sessions,
  sessionsFault,
  sessionTotal,
} from "../../state/sessions.js";
import { counted } from "../../text/format.js";
import { SelectionBar } from "./actions.js";
import { Filters, STATES } from "./filters.js";
import { COLUMNS, SessionCells } from "./row.js";

/** Time in milliseconds after the last letter until the list is read. */
const TYPING_MS = 200;

/** Sessions: what each is about, its state, tokens and cost; pins, labels, archive, reset and delete. */
export function SessionsView() {
  const [search] = useSearchParams();
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal<string | undefined>(undefined);
  const find = useRef<HTMLInputElement>(null);
  const query = search.toString();
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (!isOpen) return undefined;
    const filter = filterOf(new URLSearchParams(query));
    const timer = setTimeout(() => void loadSessions(filter), TYPING_MS);
    return () => clearTimeout(timer);
  }, [query, isOpen]);
  const all = sessions.value;
  const chosen = (all ?? []).filter(({ sessionKey }) => selected.value.has(sessionKey));
  const toggle = (key: string) => {
    const next = new Set(selected.value);
    if (!next.delete(key)) next.add(key);
    selected.value = next;
  };
  useLayoutEffect(() => {
    const list = sessions.value ?? [];
    const move = (step: number) => {
      const index = list.findIndex(({ sessionKey }) => sessionKey === cursor.value);
      const next = list[Math.min(list.length - 1, Math.max(0, index + step))];
      cursor.value = next?.sessionKey;
    };
    const at = () => list.find(({ sessionKey }) => sessionKey === cursor.value);
    const own = [
      { key: "j", title: "Next session", run: () => move(1) },
      { key: "k", title: "Previous session", run: () => move(-1) },
      {
        ...{ key: "x", title: "Select the session" },
        run: () => {
          if (cursor.value !== undefined) toggle(cursor.value);
        },
      },
      {
        ...{ key: "p", title: "Pin or unpin the session" },
        run: () => {
          const session = at();
          if (session !== undefined) void pin(session);
        },
      },
      { key: "/", title: "Filter", run: () => find.current?.focus() },
    ];
    viewKeys.value = own;
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  return (
    <>
      <PageBar title="Sessions">
        {all !== undefined && (
          <span class="dim t12">{counted(Math.max(0, sessionTotal.value), "session")}</span>
        )}
      </PageBar>
      <Filters input={find}>
        {chosen.length > 0 ? (
          <SelectionBar
            chosen={chosen}
            onDone={() => {
              selected.value = new Set();
            }}
          />
        ) : (
          newSessions.value > 0 && (
            <button
              class="btn small"
              type="button"
              onClick={() => void loadSessions(filterOf(new URLSearchParams(query)))}
            >
              {counted(newSessions.value, "new session")}
            </button>
          )
        )}
      </Filters>
      {sessionsFault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={sessionsFault.value} />
        </div>
      )}
      {isOpen && !mayCall("sessions.list") ? (
        <Empty title="Your token may not see sessions" text="It needs operator.read." />
      ) : all === undefined ? (
        <div class="page" aria-busy="true" />
      ) : all.length === 0 ? (
        query === "" ? (
          <Empty
            title="No session yet"
            text="The first message begins one. To send it, in a terminal:"
            command="openclaw chat"
          />
        ) : (
          <Empty title="No session fits" text="Change or clear the filter." />
        )
      ) : (
        <VirtualRows
          class={isLive.value ? "sessions" : "sessions stale"}
          label="Sessions"
          items={all}
          keyOf={({ sessionKey }) => sessionKey}
          columns={COLUMNS}
          cursor={cursor.value}
          isSelected={({ sessionKey }) => selected.value.has(sessionKey)}
          onEnd={() => void loadMoreSessions()}
          row={(session) => (
            <SessionCells
              session={session}
              isSelected={selected.value.has(session.sessionKey)}
              onSelect={() => toggle(session.sessionKey)}
              onCursor={() => {
                cursor.value = session.sessionKey;
              }}
            />
          )}
        />
      )}
    </>
  );
}

function pin({ sessionKey, pinned = false }: ListedSession): Promise<void> {
  return patchSessions([sessionKey], { pinned: !pinned });
}

/** Filter that the URL describes; the archive is shown only when it is asked for. */
function filterOf(search: URLSearchParams): SessionFilter {
  const text = search.get("q")?.trim() ?? "";
  const agentId = search.get("agent") ?? "";
  const channel = search.get("channel") ?? "";
  const state = STATES.find((each) => each === search.get("state"));
  return {
    archived: search.get("archive") === "archived",
    ...(text === "" ? {} : { text }),
    ...(agentId === "" ? {} : { agentId }),
    ...(channel === "" ? {} : { channel }),
    ...(state === undefined ? {} : { state }),
  };
}

function Empty({ title, text, command }: { title: string; text: string; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {command !== undefined && <pre class="code">{command}</pre>}
    </div>
  );
}
