import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { FilterBar } from "../../components/filter-bar.js";
import { type Filters, useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { saveFile } from "../../components/save-file.js";
import { StateMark } from "../../components/state-mark.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { useFocusKey, viewKeys } from "../../shell/keyboard.js";
import { useListKeys } from "../../shell/list-keys.js";
import { now } from "../../state/clock.js";
import { isLive } from "../../state/link.js";
import { exactTime } from "../../text/format.js";
import { LineDetails } from "./details.js";
import { LogHistogram } from "./histogram.js";
import {
  fault,
  hasOlderFiles,
  isPaused,
  isRead,
  isReadingOlder,
  type LogLevel,
  lines,
  noteEnd,
  pauseLog,
  readOlder,
  showLog,
  unseen,
  version,
} from "./log.js";
import { fieldWords, type LogLine } from "./log-lines.js";
import { text } from "./messages.js";
import "../../styles/views/plugins.css";
import "../../styles/views/logs.css";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Log of the gateway, live. */
export function LogsView() {
  return (
    <ReadersOnly method="logs.tail" scope="operator.admin">
      <Log />
    </ReadersOnly>
  );
}

const COLUMNS = [
  { name: text.time },
  { name: text.level },
  { name: text.subsystem, class: "x" },
  { name: text.line },
];

function Log() {
  const filters = useFilters("logs");
  const find = useRef<HTMLInputElement>(null);
  const toEnd = useRef<() => void>(undefined);
  const cursor = useSignal<string | undefined>(undefined);
  const opened = useSignal<LogLine | undefined>(undefined);
  const chosen = LEVELS.find((level) => level === filters.chosen("level")) ?? "info";
  useEffect(() => showLog(chosen), [chosen]);
  const filter = filterOf(filters);
  const key = JSON.stringify(filter);
  const applied = useRef("");
  if (applied.current !== key) {
    applied.current = key;
    lines.choose(filter);
  }
  // Every change of the lines draws the list.
  void version.value;
  const { shown } = lines;
  useFocusKey(find);
  useListKeys({
    ...{ keys: [], cursor },
    words: { next: text.next, previous: text.previous, open: text.open },
    move: (step) => {
      const index = shown.findIndex(({ number }) => String(number) === cursor.value);
      const last = shown.length - 1;
      const next = index === -1 ? last : Math.min(last, Math.max(0, index + step));
      const line = shown[next];
      cursor.value = line === undefined ? undefined : String(line.number);
      if (opened.value !== undefined) opened.value = line;
    },
    open: (number) => {
      opened.value = shown.find((line) => String(line.number) === number);
    },
  });
  useLayoutEffect(() => {
    const own = [
      { key: " ", title: text.pauseKey, run: pauseLog },
      { key: "G", title: text.toEnd, run: () => toEnd.current?.() },
    ];
    viewKeys.value = [...viewKeys.peek(), ...own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  }, []);
  return (
    <>
      <PageBar title={text.title}>
        <span class="line t12" role="status">
          <span aria-hidden="true">
            <StateMark
              state={isPaused.value || !isLive.value ? "interrupted" : "running"}
              label=""
            />
          </span>
          <span>{isPaused.value ? text.paused : text.live}</span>
        </span>
        <button class="btn small" type="button" onClick={pauseLog}>
          {isPaused.value ? text.resume : text.pause}
        </button>
        <button
          class="btn small x"
          type="button"
          onClick={() =>
            saveFile(shown.map(recordOf).join(""), "openclaw-log.jsonl", "application/jsonl")
          }
        >
          {text.export}
        </button>
      </PageBar>
      <FilterBar
        class="sess"
        filters={filters}
        choices={[
          {
            ...{ label: text.level, name: "level", options: LEVELS, wordOf: text.levelAtLeast },
            none: text.levelAtLeast("info"),
          },
          ...(["subsystem", "plugin", "session"] as const).map((name) => ({
            ...{ label: text[name], name, options: lines.names(name) },
          })),
        ]}
        hint={text.findHint}
        input={find}
      >
        <span class="x">
          {isReadingOlder.value ? text.reading : text.shown(shown.length)} · {text.redacted}
        </span>
      </FilterBar>
      <LogHistogram lines={shown} minute={Math.floor(now.value / 5000)} />
      {fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {!isRead.value ? (
        <div class="page" aria-busy="true" />
      ) : shown.length === 0 ? (
        <div class="empty">
          <h2>{lines.size === 0 ? text.none : text.nothingFits}</h2>
          <p>{lines.size === 0 ? text.noneHelp : text.changeFilter}</p>
        </div>
      ) : (
        <div class={opened.value === undefined ? "logsplit" : "logsplit open"}>
          <div class="logcol">
            {hasOlderFiles.value && <p class="note t12">{text.olderFiles}</p>}
            <VirtualRows
              class={isLive.value ? "logs" : "logs stale"}
              label={text.title}
              items={shown}
              columns={COLUMNS}
              keyOf={numberOf}
              cursor={cursor.value}
              tail={{ base: lines.base, onEnd: noteEnd, toEnd }}
              onStart={() => void readOlder()}
              row={(line) => (
                <Cells
                  line={line}
                  onOpen={() => {
                    cursor.value = numberOf(line);
                    opened.value = line;
                  }}
                />
              )}
            />
            {unseen.value > 0 && (
              <button class="btn newlines" type="button" onClick={() => toEnd.current?.()}>
                {text.newLines(unseen.value)} <kbd>G</kbd>
              </button>
            )}
          </div>
          {opened.value !== undefined && (
            <LineDetails
              line={opened.value}
              filters={filters}
              onClose={() => {
                opened.value = undefined;
              }}
            />
          )}
        </div>
      )}
    </>
  );
}

function Cells({ line, onOpen }: { line: LogLine; onOpen(): void }) {
  const { time, level, msg, fields } = line;
  return (
    <>
      <span role="cell" class="sub num" title={new Date(time).toISOString()}>
        {exactTime(time)}
      </span>
      <span role="cell" class="lvl" data-l={level}>
        {level}
      </span>
      <span role="cell" class="x mid">
        {String(fields.subsystem ?? "")}
      </span>
      <span role="cell">
        <button class="cover plain" type="button" onClick={onOpen}>
          {msg}
        </button>{" "}
        <span class="sub">{fieldWords(line)}</span>
      </span>
    </>
  );
}

function numberOf({ number }: LogLine): string {
  return String(number);
}

function filterOf({ chosen }: Filters) {
  const words = chosen("q").trim().toLowerCase();
  const [subsystem = "", plugin = "", session = ""] = ["subsystem", "plugin", "session"].map(
    chosen,
  );
  return { subsystem, plugin, session, words };
}

/** Returns a line as the gateway has it. */
export function recordOf({ time, level, msg, fields }: LogLine): string {
  return `${JSON.stringify({ time: new Date(time).toISOString(), level, msg, ...fields })}\n`;
}
