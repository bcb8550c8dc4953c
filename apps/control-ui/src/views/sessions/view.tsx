import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { viewKeys } from "../../shell/keyboard.js";
import { gateway, isLive, mayCall } from "../../state/link.js";
import { refusalOf } from "../../state/refusal.js";
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
import { SelectionBar } from "./actions.js";
import { SessionFilters, STATES } from "./filters.js";
import { text } from "./messages.js";
import { NewSession } from "./new-session.js";
import { COLUMNS, SessionCells } from "./row.js";

/** Time in milliseconds after the last letter until the list is read. */
const TYPING_MS = 200;

/** Sessions: what each is about, its state, tokens and cost; pins, labels, archive, reset and delete. */
export function SessionsView() {
  const [, navigate] = useLocation();
  const filters = useFilters("sessions");
  const { query } = filters;
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal<string | undefined>(undefined);
  const find = useRef<HTMLInputElement>(null);
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
      { key: "j", title: text.next, run: () => move(1) },
      { key: "k", title: text.previous, run: () => move(-1) },
      {
        ...{ key: "x", title: text.select },
        run: () => {
          if (cursor.value !== undefined) toggle(cursor.value);
        },
      },
      ...(refusalOf("operator.write") === undefined
        ? [
            {
              ...{ key: "p", title: text.pinKey },
              run: () => {
                const session = at();
                if (session !== undefined) void pin(session);
              },
            },
          ]
        : []),
      {
        ...{ key: "o", title: text.openKey },
        run: () => {
          const session = at();
          if (session === undefined) return;
          navigate(`/chat/${encodeURIComponent(session.sessionKey)}`);
        },
      },
      { key: "/", title: text.filter, run: () => find.current?.focus() },
    ];
    viewKeys.value = own;
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  return (
    <>
      <PageBar title={text.title}>
        {all !== undefined && (
          <span class="dim t12">{text.count(Math.max(0, sessionTotal.value))}</span>
        )}
        <NewSession />
      </PageBar>
      <SessionFilters filters={filters} input={find}>
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
              {text.newCount(newSessions.value)}
            </button>
          )
        )}
      </SessionFilters>
      {sessionsFault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={sessionsFault.value} />
        </div>
      )}
      {isOpen && !mayCall("sessions.list") ? (
        <Empty title={text.mayNotSee} help={text.needsScope} />
      ) : all === undefined ? (
        <div class="page" aria-busy="true" />
      ) : all.length === 0 ? (
        query === "" ? (
          <Empty title={text.none} help={text.noneHelp} command="openclaw chat" />
        ) : (
          <Empty title={text.noneFits} help={text.changeFilter} />
        )
      ) : (
        <VirtualRows
          class={isLive.value ? "sessions" : "sessions stale"}
          label={text.title}
          items={all}
          total={sessionTotal.value}
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
  const words = search.get("q")?.trim() ?? "";
  const agentId = search.get("agent") ?? "";
  const channel = search.get("channel") ?? "";
  const state = STATES.find((each) => each === search.get("state"));
  return {
    archived: search.get("archive") === "archived",
    ...(words === "" ? {} : { text: words }),
    ...(agentId === "" ? {} : { agentId }),
    ...(channel === "" ? {} : { channel }),
    ...(state === undefined ? {} : { state }),
  };
}

function Empty({ title, help, command }: { title: string; help: string; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{help}</p>
      {command !== undefined && <pre class="code">{command}</pre>}
    </div>
  );
}
