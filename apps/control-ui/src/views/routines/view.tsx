import type { RoutineSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { ActButton, closedReason } from "../../components/act-button.js";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { FilterBar } from "../../components/filter-bar.js";
import { type Filters, useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { SwitchBox } from "../../components/switch-box.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { useListKeys } from "../../shell/list-keys.js";
import { shortTime } from "../../text/format.js";
import { Day } from "./day.js";
import { RoutineDialog } from "./form.js";
import { text } from "./messages.js";
import { RoutinePage } from "./page.js";
import { routines, switchRoutine } from "./routines.js";
import "../../styles/views/plugins.css";
import "../../styles/views/jobs.css";

/** Routines, a day of all of them, or one of them. */
export function RoutinesView() {
  const [path] = useLocation();
  const [, asked] = /^\/cron\/([^/]+)$/.exec(path) ?? [];
  const id = asked === undefined ? undefined : decodeURIComponent(asked);
  return (
    <ReadersOnly method="cron.list" scope="operator.read">
      {id === undefined ? <AllRoutines /> : <RoutinePage key={id} id={id} />}
    </ReadersOnly>
  );
}

function AllRoutines() {
  const filters = useFilters("routines");
  const isCreating = useSignal(false);
  const isDay = filters.chosen("view") === "day";
  useEffect(() => routines.show(), []);
  return (
    <>
      <PageBar
        title={text.title}
        tabs={[
          { name: text.all, path: "/cron", isCurrent: !isDay },
          { name: text.day, path: "/cron?view=day", isCurrent: isDay },
        ]}
      >
        <ActButton scope="operator.write" onAct={() => (isCreating.value = true)}>
          {text.newRoutine}
        </ActButton>
      </PageBar>
      {isDay ? <Day filters={filters} /> : <List filters={filters} />}
      {isCreating.value && <RoutineDialog onClose={() => (isCreating.value = false)} />}
    </>
  );
}

const COLUMNS = [
  { name: text.state, isHidden: true },
  { name: text.routine },
  { name: text.schedule, class: "x" },
  { name: text.agent, class: "x" },
  { name: text.next, class: "end" },
  { name: text.enabled, isHidden: true },
];

function List({ filters }: { filters: Filters }) {
  const find = useRef<HTMLInputElement>(null);
  const cursor = useSignal<string | undefined>(undefined);
  const [, navigate] = useLocation();
  useFocusKey(find);
  const read = routines.value.value;
  const found = read?.filter((routine) => matches(routine, filters)) ?? [];
  useListKeys({
    ...{ keys: found.map(({ routineId }) => routineId), cursor },
    words: { next: text.nextRow, previous: text.previousRow, open: text.open },
    open: (routineId) => navigate(pathOf(routineId)),
  });
  const agents = [...new Set(read?.map(({ agentId }) => agentId) ?? [])].sort();
  return (
    <>
      <FilterBar
        class="sess"
        filters={filters}
        choices={[{ label: text.agent, name: "agent", options: agents }]}
        hint={text.findHint}
        input={find}
      >
        <span class="x">{text.shown(found.length)}</span>
      </FilterBar>
      {routines.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={routines.fault.value} />
        </div>
      )}
      {read === undefined ? (
        <div class="page" aria-busy="true" />
      ) : found.length === 0 ? (
        <div class="empty">
          <h2>{read.length === 0 ? text.none : text.nothingFits}</h2>
          <p>{read.length === 0 ? text.noneHelp : text.changeFilter}</p>
        </div>
      ) : (
        <VirtualRows
          class="rlist"
          label={text.title}
          items={found}
          keyOf={({ routineId }) => routineId}
          columns={COLUMNS}
          cursor={cursor.value}
          row={(routine) => <Cells routine={routine} />}
        />
      )}
    </>
  );
}

function Cells({ routine }: { routine: RoutineSummary }) {
  const { routineId, name, schedule, agentId, enabled, disabledReason, nextAt, lastRun } = routine;
  return (
    <>
      <span role="cell">
        <RunMark state={lastRun?.state} />
      </span>
      <span role="cell" title={name}>
        <Link class="cover" href={pathOf(routineId)}>
          <strong>{name}</strong>
        </Link>
      </span>
      <span role="cell" class={disabledReason === undefined ? "x mid" : "x bad"} title={schedule}>
        {disabledReason ?? schedule}
      </span>
      <span role="cell" class="x sub">
        {agentId}
      </span>
      <span
        role="cell"
        class="end sub"
        title={nextAt === undefined ? undefined : new Date(nextAt).toISOString()}
      >
        {!enabled ? text.off : nextAt === undefined ? text.never : shortTime(nextAt)}
      </span>
      <span role="cell" class="free end">
        <RoutineSwitch routine={routine} />
      </span>
    </>
  );
}

/** Outcome of the last run. */
function RunMark({ state }: { state: string | undefined }) {
  return state === undefined ? (
    <StateMark state="waiting" label={text.hasNotRun} />
  ) : (
    <StateMark state={markOf(state)} label={text.stateOf(state)} />
  );
}

/** Switch that enables and disables a routine. */
export function RoutineSwitch({
  routine: { routineId, name, enabled, action },
}: {
  routine: RoutineSummary;
}) {
  const reason =
    closedReason("operator.write") ?? (action === "heartbeat" ? text.heartbeat : undefined);
  return (
    <SwitchBox
      label={text.switchNamed(name)}
      isOn={enabled}
      reason={reason}
      onSwitch={() => void switchRoutine(routineId, !enabled)}
    />
  );
}

function matches({ name, schedule, agentId }: RoutineSummary, { chosen }: Filters): boolean {
  if (chosen("agent") !== "" && chosen("agent") !== agentId) return false;
  return `${name}\n${schedule}`.toLowerCase().includes(chosen("q").trim().toLowerCase());
}

/** Returns the path of a routine. */
export function pathOf(routineId: string): string {
  return `/cron/${encodeURIComponent(routineId)}`;
}
