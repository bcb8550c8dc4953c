import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { FaultNote } from "../../../components/fault-note.js";
import { FilterBar } from "../../../components/filter-bar.js";
import { type Filters, useFilters } from "../../../components/filters.js";
import { PageBar } from "../../../components/page-bar.js";
import { markOf, StateMark } from "../../../components/state-mark.js";
import { VirtualRows } from "../../../components/virtual-rows.js";
import { viewKeys } from "../../../shell/keyboard.js";
import { now } from "../../../state/clock.js";
import { gateway, isLive } from "../../../state/link.js";
import { type ListedRun, openRuns } from "../../../state/runs.js";
import { cost, duration, firstLine, shortTime } from "../../../text/format.js";
import { text } from "../messages.js";
import {
  newRuns,
  RUN_STATES,
  type RunFilter,
  readMoreRuns,
  readRuns,
  refreshRuns,
  runs,
  runsFault,
} from "./runs.js";

const HOUR_MS = 60 * 60_000;

/** Times since which runs are shown, by their value in the URL. */
const SINCE: Readonly<Record<string, { readonly word: string; readonly ms: number }>> = {
  hour: { word: text.hour, ms: HOUR_MS },
  day: { word: text.day, ms: 24 * HOUR_MS },
  week: { word: text.week, ms: 7 * 24 * HOUR_MS },
};

/** Runs, the one that was queued last first: what each did, how long it took and what it cost. */
export function RunList() {
  const filters = useFilters("runs");
  const [, navigate] = useLocation();
  const cursor = useSignal<string | undefined>(undefined);
  const find = useRef<HTMLInputElement>(null);
  const isOpen = gateway.value !== undefined;
  const [state, session, since] = ["state", "session", "since"].map(filters.chosen);
  useEffect(() => {
    if (isOpen) void readRuns(filterOf({ state, session, since }));
  }, [state, session, since, isOpen]);
  const open = openRuns.value;
  useEffect(() => void refreshRuns(), [open]);
  const read = runs.value;
  const agents = [...new Set(read?.runs.map(({ agentId }) => agentId) ?? [])].sort();
  const found = read?.runs.filter((run) => matches(run, filters)) ?? [];
  useLayoutEffect(() => {
    const move = (step: number) => {
      const index = found.findIndex(({ runId }) => runId === cursor.value);
      cursor.value = found[Math.min(found.length - 1, Math.max(0, index + step))]?.runId;
    };
    const own = [
      { key: "j", title: text.next, run: () => move(1) },
      { key: "k", title: text.previous, run: () => move(-1) },
      {
        ...{ key: "Enter", title: text.open },
        run: () => {
          if (cursor.value !== undefined) navigate(pathOf(cursor.value));
        },
      },
      { key: "/", title: text.findHint, run: () => find.current?.focus() },
    ];
    viewKeys.value = own;
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => !own.includes(each));
    };
  });
  return (
    <>
      <PageBar title={text.title}>
        {session !== "" && (
          <>
            <span class="dim mono t12 x">{session}</span>
            <button class="btn small" type="button" onClick={() => filters.choose("session", "")}>
              {text.allSessions}
            </button>
          </>
        )}
      </PageBar>
      <FilterBar
        class="sess"
        filters={filters}
        choices={[
          { label: text.state, name: "state", options: RUN_STATES, wordOf: text.stateOf },
          { label: text.agent, name: "agent", options: agents },
          {
            ...{ label: text.since, name: "since", options: Object.keys(SINCE) },
            ...{ none: text.anyTime, wordOf: (option) => SINCE[option]?.word ?? option },
          },
        ]}
        hint={text.findHint}
        input={find}
      >
        {newRuns.value > 0 ? (
          <button
            class="btn small"
            type="button"
            onClick={() => void readRuns(filterOf({ state, session, since }))}
          >
            {text.newRuns(newRuns.value)}
          </button>
        ) : (
          <span class="x">{text.shown(found.length, read?.nextCursor !== undefined)}</span>
        )}
      </FilterBar>
      {runsFault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={runsFault.value} />
        </div>
      )}
      {read === undefined ? (
        <div class="page" aria-busy="true" />
      ) : found.length === 0 ? (
        <div class="empty">
          <h2>{filters.query === "" ? text.none : text.nothingFits}</h2>
          <p>{filters.query === "" ? text.noneHelp : text.changeFilter}</p>
        </div>
      ) : (
        <VirtualRows
          class={isLive.value ? "runs" : "runs stale"}
          label={text.title}
          items={found}
          keyOf={({ runId }) => runId}
          columns={COLUMNS}
          cursor={cursor.value}
          onEnd={() => void readMoreRuns()}
          row={(run) => <Cells run={run} />}
        />
      )}
    </>
  );
}

const COLUMNS = [
  { name: text.state, isHidden: true },
  { name: text.whatHappened },
  { name: text.agentAndChannel, class: "x" },
  { name: text.calls, class: "x" },
  { name: text.time, class: "end x" },
  { name: text.cost, class: "end x" },
  { name: text.started, class: "end" },
];

function Cells({ run }: { run: ListedRun }) {
  const { runId, agentId, channel, state, modelCalls, toolCalls, costUsd, queuedAt } = run;
  const time = timeOf(run);
  const note = noteOf(run);
  return (
    <>
      <span role="cell">
        <StateMark state={markOf(state)} label={text.stateOf(state)} />
      </span>
      <span role="cell" title={note}>
        <Link class="cover" href={pathOf(runId)}>
          <strong>{titleOf(run)}</strong>
        </Link>{" "}
        <span class="sub">{note}</span>
      </span>
      <span role="cell" class="x mid">
        {[agentId, channel].filter((each) => each !== "").join(" · ")}
      </span>
      <span role="cell" class="x sub mono t12">
        {modelCalls + toolCalls > 0 && `${modelCalls} · ${toolCalls}`}
      </span>
      <span role="cell" class="end x">
        {time !== undefined && duration(time, run.endedAt === undefined ? "s" : "ms")}
      </span>
      <span role="cell" class="end x" title={costUsd === undefined ? undefined : `$${costUsd}`}>
        {costUsd !== undefined && cost(costUsd)}
      </span>
      <span role="cell" class="end sub" title={new Date(queuedAt).toISOString()}>
        {shortTime(queuedAt)}
      </span>
    </>
  );
}

function pathOf(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

/** Returns the name of a run for people: the beginning of its message. */
export function titleOf({ text: words, label }: ListedRun): string {
  return firstLine(words ?? "") || (label ?? text.erased);
}

function timeOf({ startedAt, endedAt }: ListedRun): number | undefined {
  return startedAt === undefined ? undefined : Math.max(0, (endedAt ?? now.value) - startedAt);
}

function noteOf({ error, step, state }: ListedRun): string {
  if (error !== undefined) return `${error.code} ${firstLine(error.message)}`;
  if (step !== undefined) return text.stepOf(step.kind, step.name);
  return state === "completed" ? "" : text.stateOf(state);
}

function filterOf({ state, session, since }: Record<string, string | undefined>): RunFilter {
  const wanted = RUN_STATES.find((each) => each === state);
  const ms = SINCE[since ?? ""]?.ms;
  return {
    ...(wanted === undefined ? {} : { states: [wanted] }),
    ...(session === undefined || session === "" ? {} : { sessionKey: session }),
    ...(ms === undefined ? {} : { from: Date.now() - ms }),
  };
}

/** Applies the filters that the gateway does not have. */
function matches(run: ListedRun, { chosen }: Filters): boolean {
  if (chosen("agent") !== "" && chosen("agent") !== run.agentId) return false;
  const words = [titleOf(run), noteOf(run), run.sessionKey, run.channel, run.runId].join("\n");
  return words.toLowerCase().includes(chosen("q").trim().toLowerCase());
}
