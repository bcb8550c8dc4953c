import type { GatewayMethodResult } from "@openclaw/protocol";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import type { Filters } from "../../components/filters.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { now } from "../../state/clock.js";
import { clockTime, duration, wholeDay } from "../../text/format.js";
import { text } from "./messages.js";
import { resultOf } from "./page.js";
import { agenda, showDay } from "./routines.js";

/** Everything that is due on a day: what was, with its end, and what is to come. */
export function Day({ filters }: { filters: Filters }) {
  const chosen = /^\d{4}-\d{2}-\d{2}$/.exec(filters.chosen("day"))?.[0];
  const date = chosen ?? nameOf(new Date(now.peek()));
  const from = new Date(`${date}T00:00`);
  const to = dayAfter(from, 1);
  useEffect(() => showDay(from.getTime(), to.getTime()), [date]);
  const read = agenda.value.value;
  const go = (days: number) => filters.choose("day", nameOf(dayAfter(from, days)));
  return (
    <>
      <div class="filters">
        <button class="btn small icon" type="button" onClick={() => go(-1)}>
          ‹ <span class="vh">{text.dayBefore}</span>
        </button>
        <strong>{wholeDay(from.getTime())}</strong>
        <button class="btn small icon" type="button" onClick={() => go(1)}>
          › <span class="vh">{text.dayAfter}</span>
        </button>
        {chosen !== undefined && (
          <button class="btn quiet small" type="button" onClick={() => filters.choose("day", "")}>
            {text.today}
          </button>
        )}
        {read?.isCut === true && <span class="end warn">{text.isCut}</span>}
      </div>
      {agenda.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={agenda.fault.value} />
        </div>
      )}
      {read === undefined ? (
        <div class="page" aria-busy="true" />
      ) : read.entries.length === 0 ? (
        <div class="empty">
          <h2>{text.nothingDue}</h2>
          <p>{text.nothingDueHelp}</p>
        </div>
      ) : (
        <div class="page">
          <div class="rows rday" role="table" aria-label={text.dueTimes}>
            <div class="row head" role="row">
              <span role="columnheader">
                <span class="vh">{text.state}</span>
              </span>
              <span role="columnheader">{text.due}</span>
              <span role="columnheader">{text.routine}</span>
              <span role="columnheader">{text.result}</span>
              <span role="columnheader" class="end x">
                {text.took}
              </span>
            </div>
            {read.entries.map((entry) => (
              <Entry key={`${entry.routineId} ${entry.at}`} entry={entry} />
            ))}
          </div>
        </div>
      )}
    </>
  );
}

function Entry({
  entry: { routineId, name, at, run, quietHours },
}: {
  entry: GatewayMethodResult<"cron.agenda">["entries"][number];
}) {
  const isSkipped = quietHours !== undefined && run === undefined;
  return (
    <div class="row act" role="row" data-past={run === undefined ? undefined : ""}>
      <span role="cell">
        {run === undefined ? (
          <StateMark state={isSkipped ? "interrupted" : "waiting"} label={text.toCome} />
        ) : (
          <StateMark state={markOf(run.state)} label={text.stateOf(run.state)} />
        )}
      </span>
      <span role="cell" class="num" title={new Date(at).toISOString()}>
        {clockTime(at)}
      </span>
      <span role="cell">
        <Link class="cover" href={`/cron/${encodeURIComponent(routineId)}`}>
          <strong>{name}</strong>
        </Link>
      </span>
      <span role="cell" class="mid">
        {run !== undefined
          ? resultOf(run)
          : isSkipped
            ? text.inQuietHours(quietHours)
            : text.toCome}
      </span>
      <span role="cell" class="end x">
        {run?.startedAt !== undefined &&
          run.endedAt !== undefined &&
          duration(run.endedAt - run.startedAt)}
      </span>
    </div>
  );
}

/** Returns midnight of the browser's zone a number of days later, also when the clock changes. */
function dayAfter(day: Date, days: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days);
}

function nameOf(day: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
