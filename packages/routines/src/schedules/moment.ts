import { DateTime } from "luxon";
import { ScheduleInvalidError } from "./errors.js";
import { readInterval } from "./interval.js";

const SECOND = 1000;
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const CLOCK = /^(?:at\s+)?(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*(am|pm)?$/;
const FORMS =
  'expected a time such as 2027-01-31T09:00, "in 20 minutes", "tomorrow 9:00" or "monday 9:00"; repeated times are "every 30m", "every weekday at 9:00" or a cron expression such as 0 9 * * 1-5';

/** Time of day on a clock. */
interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * Reads a moment as people write it: ISO 8601, `in 20 minutes`, `tomorrow 9:00`, `monday 9:00`, `18:30`. A time without
 * an offset is in the zone.
 * @param text - the moment
 * @param now - milliseconds since the epoch
 * @param timezone - a known IANA zone
 * @returns milliseconds since the epoch
 * @throws ScheduleInvalidError for text that is not a moment, and for a time that the clocks leave out
 */
export function readMoment(text: string, now: number, timezone: string): number {
  const written = text.trim().toLowerCase();
  const [, length] = /^in\s+(.+)$/.exec(written) ?? [];
  if (length !== undefined) {
    const ms = readInterval(length);
    if (ms === undefined) throw new ScheduleInvalidError("at", `"${text}" is not a time; ${FORMS}`);
    // Due times are whole seconds.
    return Math.ceil((now + ms) / SECOND) * SECOND;
  }
  if (/^\d{4}-/.test(written)) return readIso(text.trim(), timezone);
  const today = DateTime.fromMillis(now, { zone: timezone });
  const [, named = "", clock = ""] = /^((?:next\s+)?[a-z]{3,9}\b)?\s*(.*)$/.exec(written) ?? [];
  const isTime = named === "at" || named === "";
  const time = readClock(clock);
  if (time === undefined) throw new ScheduleInvalidError("at", `"${text}" is not a time; ${FORMS}`);
  if (isTime) return soonest(today, 1, time);
  if (named === "today") return placed(today, time);
  if (named === "tomorrow") return placed(today.plus({ days: 1 }), time);
  const [, isNext, day = ""] = /^(next\s+)?([a-z]+)$/.exec(named) ?? [];
  const weekday = DAYS.findIndex((each) => each === day || each.slice(0, 3) === day) + 1;
  if (weekday === 0) throw new ScheduleInvalidError("at", `"${text}" is not a time; ${FORMS}`);
  const ahead = (weekday - today.weekday + 7) % 7;
  if (ahead === 0) {
    return isNext === undefined ? soonest(today, 7, time) : placed(today.plus({ days: 7 }), time);
  }
  return placed(today.plus({ days: ahead }), time);
}

function readIso(text: string, timezone: string): number {
  const iso = text.replace(" ", "T");
  const moment = DateTime.fromISO(iso, { zone: timezone });
  if (!moment.isValid || !iso.includes("T")) {
    throw new ScheduleInvalidError("at", `"${text}" is not a date with a time; ${FORMS}`);
  }
  const [, hour, minute] = /T(\d{2}):?(\d{2})?/.exec(iso) ?? [];
  const hasOffset = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i.test(iso.slice(iso.indexOf("T")));
  if (!hasOffset) requireSame(moment, Number(hour), Number(minute ?? 0));
  return moment.toMillis();
}

/**
 * Reads a time of the day: `9`, `9:30`, `5 pm`, with or without "at".
 * @param text - the time as it was written
 * @returns undefined for other text
 */
export function readClock(text: string): TimeOfDay | undefined {
  const [, hours, minutes = "0", seconds = "0", half] = CLOCK.exec(text.trim()) ?? [];
  if (hours === undefined) return undefined;
  const [minute, second] = [Number(minutes), Number(seconds)];
  const written = Number(hours);
  if (half !== undefined && (written < 1 || written > 12)) return undefined;
  const hour = half === undefined ? written : (written % 12) + (half === "pm" ? 12 : 0);
  return hour > 23 || minute > 59 || second > 59 ? undefined : { hour, minute, second };
}

/** Returns a time of a day, or that of a later day when it has passed. */
function soonest(day: DateTime, later: number, time: TimeOfDay): number {
  const at = placed(day, time);
  return at > day.toMillis() ? at : placed(day.plus({ days: later }), time);
}

function placed(day: DateTime, time: TimeOfDay): number {
  const moment = day.set({ ...time, millisecond: 0 });
  requireSame(moment, time.hour, time.minute);
  return moment.toMillis();
}

/** Rejects a time that does not exist because the clocks go forward, instead of moving it silently. */
function requireSame(moment: DateTime, hour: number, minute: number): void {
  if (moment.hour === hour % 24 && moment.minute === minute) return;
  const there = moment.toFormat("yyyy-LL-dd HH:mm");
  throw new ScheduleInvalidError(
    "at",
    `this time does not exist in ${moment.zoneName}, because the clocks go forward; use ${there}`,
  );
}
