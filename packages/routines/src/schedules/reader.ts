import { requireExpression, SHORTEST_MS } from "./cron-expression.js";
import { namesDays, readDays } from "./day-words.js";
import { ScheduleInvalidError } from "./errors.js";
import { readInterval } from "./interval.js";
import { readMoment } from "./moment.js";
import type { Schedule } from "./schedule.js";
import { requireZone } from "./zone.js";

const LONGEST_MS = 366 * 86_400_000;
const SECOND = 1000;

/** A schedule as people write it: one of `at`, `every` and `cron`. */
export interface WrittenSchedule {
  /** ISO 8601, `in 20 minutes`, `tomorrow 9:00`. */
  readonly at?: string | undefined;
  /** A length of time such as `30m`, or days with a time such as `weekday at 9:00`. */
  readonly every?: string | undefined;
  /** A due time from which `every` counts, in the forms of `at`. */
  readonly anchor?: string | undefined;
  /** Five to seven fields, or a name such as `@daily`. */
  readonly cron?: string | undefined;
  /** IANA name. */
  readonly tz?: string | undefined;
}

/**
 * Reads a schedule.
 * @param written - its parts
 * @param now - milliseconds since the epoch
 * @param standardZone - zone of a schedule that names none
 * @throws ScheduleInvalidError for parts that are wrong, or do not go together
 */
export function readSchedule(
  { at, every, anchor, cron, tz }: WrittenSchedule,
  now: number,
  standardZone: string,
): Schedule {
  const kinds = [at, every, cron].filter((part) => part !== undefined);
  if (kinds.length !== 1) {
    const problem = kinds.length === 0 ? "it has no time" : "it has several times";
    throw new ScheduleInvalidError("schedule", `${problem}, expected one of at, every and cron`);
  }
  if (anchor !== undefined && every === undefined) {
    throw new ScheduleInvalidError("anchor", "it belongs to every, and there is no every");
  }
  const timezone = requireZone(tz ?? standardZone);
  if (at !== undefined) {
    const moment = readMoment(at, now, timezone);
    if (moment > now) return { kind: "at", at: moment, timezone };
    const then = new Date(moment).toISOString();
    throw new ScheduleInvalidError("at", `${then} is in the past; name a time after now`);
  }
  if (cron !== undefined) {
    return { kind: "cron", expression: requireExpression(cron, timezone, now), timezone };
  }
  const days = readDays(every ?? "");
  if (days !== undefined) {
    if (anchor === undefined) return { kind: "cron", expression: days, timezone };
    throw new ScheduleInvalidError("anchor", "it belongs to a length of time such as every 2h");
  }
  const everyMs = requireInterval(every ?? "");
  // Whole seconds, as for the other kinds.
  const from = anchor === undefined ? now : readMoment(anchor, now, timezone);
  return { kind: "every", everyMs, anchor: Math.floor(from / SECOND) * SECOND, timezone };
}

function requireInterval(text: string): number {
  const ms = readInterval(text);
  if (ms === undefined) {
    const problem = namesDays(text)
      ? `"${text}" has no time of the day, expected for example "${text} at 9:00"`
      : `"${text}" is neither a length of time such as 30m, 2h or 1d nor days with a time such as "weekday at 9:00"`;
    throw new ScheduleInvalidError(
      "every",
      `${problem}; other schedules are cron expressions, such as cron 0 9 * * 1-5`,
    );
  }
  if (ms < SHORTEST_MS || ms > LONGEST_MS) {
    throw new ScheduleInvalidError("every", `"${text}" is not between 1m and 366d`);
  }
  return ms;
}
