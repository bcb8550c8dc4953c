import type { RoutineDefinition } from "./definition.js";
import { intervalText } from "./schedules/interval.js";
import { nextTime, type Schedule } from "./schedules/schedule.js";

/** Delay up to which a run counts as being on time. */
const ON_TIME_MS = 60_000;
/** Most missed due times that `catchUp: all` runs. */
const MOST_CAUGHT_UP = 24;

/** Due time with its new status. */
export interface DueTime {
  readonly plannedAt: number;
  readonly state: "queued" | "missed";
  readonly reason?: string | undefined;
}

/** Rules for due times that have passed. */
export interface DueRules {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Age up to which a due time can still run. */
  readonly graceMs: number;
  readonly catchUp: RoutineDefinition["catchUp"];
}

/**
 * Returns the status of the due times that have come: each runs, or is recorded as missed with a reason (JOB-026). Due
 * times that are older than the grace time share one record, because they can be many.
 * @param schedule - the schedule
 * @param after - the last planned time, or the time since which the schedule holds
 * @param rules - time, grace and catching up
 */
export function dueTimes(
  schedule: Schedule,
  after: number,
  { now, graceMs, catchUp }: DueRules,
): readonly DueTime[] {
  const first = nextTime(schedule, after);
  if (first === undefined || first > now) return [];
  const oldest = now - graceMs;
  const tooOld = first < oldest ? [missedBefore(first, oldest, graceMs)] : [];
  const times: number[] = [];
  for (let at = nextTime(schedule, Math.max(after, oldest - 1)); at !== undefined && at <= now; ) {
    times.push(at);
    at = nextTime(schedule, at);
  }
  return [...tooOld, ...recent(times, now, catchUp)];
}

/**
 * Returns the note of a run that begins late; undefined for one that is on time.
 * @param plannedAt - the due time
 * @param now - milliseconds since the epoch
 */
export function lateness(plannedAt: number, now: number): string | undefined {
  const late = now - plannedAt;
  return late > ON_TIME_MS ? `late by ${shortened(late)}` : undefined;
}

function recent(
  times: readonly number[],
  now: number,
  catchUp: RoutineDefinition["catchUp"],
): readonly DueTime[] {
  const most = catchUp === "all" ? MOST_CAUGHT_UP : 1;
  const runFrom = times.length - most;
  return times.map((plannedAt, index): DueTime => {
    const reason = lateness(plannedAt, now);
    if (index < runFrom) {
      const rule = catchUp === "all" ? `only the last ${most} run` : "a later due time runs";
      return { plannedAt, state: "missed", reason: `missed while the gateway was away; ${rule}` };
    }
    if (reason !== undefined && catchUp === "none") {
      const rule = "missed while the gateway was away; this routine catches up with nothing";
      return { plannedAt, state: "missed", reason: rule };
    }
    return { plannedAt, state: "queued", reason };
  });
}

function missedBefore(plannedAt: number, oldest: number, graceMs: number): DueTime {
  const until = new Date(oldest).toISOString();
  const reason = `missed, and more than ${intervalText(graceMs)} ago; so are all due times until ${until}`;
  return { plannedAt, state: "missed", reason };
}

/** Returns a delay with its two largest units. */
function shortened(ms: number): string {
  return intervalText(ms).split(" ").slice(0, 4).join(" ");
}
