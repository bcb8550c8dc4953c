import type { GatewayMethodResult } from "@openclaw/protocol";
import { useEffect } from "preact/hooks";
import { ActButton } from "../../components/act-button.js";
import { FaultNote } from "../../components/fault-note.js";
import { StateMark } from "../../components/state-mark.js";
import { TableHead } from "../../components/table-head.js";
import { now } from "../../state/clock.js";
import { call } from "../../state/link.js";
import { duration, shortTime } from "../../text/format.js";
import { tasks } from "./jobs.js";
import { text } from "./messages.js";

type Task = GatewayMethodResult<"tasks.list">["tasks"][number];

/** Seconds after which the tasks are read again; no event reports their runs. */
const EVERY_S = 15;

const COLUMNS = [
  [text.state, "", true],
  [text.task, "", false],
  [text.interval, "end x", false],
  [text.lastRun, "end x", false],
  [text.took, "end x", false],
  [text.nextRun, "end", false],
  [text.runNow, "", true],
] as const;

/** Background tasks of the host: what each did last, and does next. */
export function HostTasks() {
  useEffect(() => tasks.show(), []);
  const tick = Math.floor(now.value / (EVERY_S * 1000));
  useEffect(() => tasks.refresh(), [tick]);
  const read = tasks.value.value;
  if (read === undefined) {
    return tasks.fault.value === undefined ? (
      <div class="page" aria-busy="true" />
    ) : (
      <div class="pad">
        <FaultNote fault={tasks.fault.value} />
      </div>
    );
  }
  if (read.length === 0) {
    return (
      <div class="empty">
        <h2>{text.noTasks}</h2>
      </div>
    );
  }
  return (
    <div class="page">
      {tasks.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={tasks.fault.value} />
        </div>
      )}
      <div class="rows htasks" role="table" aria-label={text.tasks}>
        <TableHead columns={COLUMNS} />
        {read.map((task) => (
          <Row key={task.name} task={task} />
        ))}
      </div>
    </div>
  );
}

function Row({ task }: { task: Task }) {
  const { name, pluginId, intervalMs, isPaused, lastRunAt, lastDurationMs } = task;
  const { lastError, failures } = task;
  const change = (method: "tasks.pause" | "tasks.resume" | "tasks.run") =>
    void tasks.change(() => call(method, { name }));
  return (
    <div class="row" role="row">
      <span role="cell">
        <Mark task={task} />
      </span>
      <span role="cell" class="two">
        <strong>{name}</strong> {pluginId !== undefined && <span class="sub">{pluginId}</span>}{" "}
        {lastError !== undefined && (
          <span class="bad">
            {text.failures(failures)}: {lastError}
          </span>
        )}
      </span>
      <span role="cell" class="end x">
        {intervalMs !== undefined && duration(intervalMs)}
      </span>
      <span role="cell" class="end x" title={isoOf(lastRunAt)}>
        {lastRunAt === undefined ? text.never : shortTime(lastRunAt)}
      </span>
      <span role="cell" class="end x">
        {lastDurationMs !== undefined && duration(lastDurationMs)}
      </span>
      <span role="cell" class="end sub" title={isoOf(task.nextRunAt)}>
        {nextOf(task)}
      </span>
      <span role="cell" class="free end acts">
        <ActButton
          scope="operator.admin"
          label={text.named(text.runNow, name)}
          onAct={() => change("tasks.run")}
        >
          {text.runNow}
        </ActButton>
        <ActButton
          scope="operator.admin"
          label={text.named(isPaused ? text.resume : text.pause, name)}
          onAct={() => change(isPaused ? "tasks.resume" : "tasks.pause")}
        >
          {isPaused ? text.resume : text.pause}
        </ActButton>
      </span>
    </div>
  );
}

function Mark({ task: { isRunning, isPaused, lastError } }: { task: Task }) {
  if (isRunning) return <StateMark state="running" label={text.running} />;
  if (isPaused) return <StateMark state="interrupted" label={text.paused} />;
  return lastError === undefined ? (
    <StateMark state="done" label={text.ok} />
  ) : (
    <StateMark state="failed" label={text.stateOf("failed")} />
  );
}

function nextOf({ isPaused, nextRunAt }: Task): string {
  if (isPaused) return text.paused;
  return nextRunAt === undefined ? text.waitsForWork : shortTime(nextRunAt);
}

function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
