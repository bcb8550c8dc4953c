import cronstrue from "cronstrue";
import { DateTime } from "luxon";
import { intervalText } from "./interval.js";
import { nextTimes, type Schedule } from "./schedule.js";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const NUMBERS = /^\d{1,2}$/;

/** A due time in the zone of its schedule, and in UTC. */
export interface ShownTime {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** For example `Mon 2026-11-30 07:00`. */
  readonly local: string;
  /** ISO 8601. */
  readonly utc: string;
}

/** Returns a schedule in plain words, for example `Every weekday at 07:00 Europe/Vienna`. */
export function scheduleText(schedule: Schedule): string {
  const { timezone } = schedule;
  switch (schedule.kind) {
    case "at":
      return `Once, ${localText(schedule.at, timezone)} ${timezone}`;
    case "every":
      return `Every ${intervalText(schedule.everyMs).replace(/^1 (?=\w+$)/, "")}`;
    case "cron":
      return `${expressionText(schedule.expression)} ${timezone}`;
  }
}

/**
 * Returns the next due times, for people.
 * @param after - the last planned time, or the time since which the schedule holds
 * @param count - maximum number
 */
export function shownTimes(schedule: Schedule, after: number, count: number): readonly ShownTime[] {
  return nextTimes(schedule, after, count).map((at) => shownTime(at, schedule.timezone));
}

/**
 * Returns a time in a zone and in UTC.
 * @param at - milliseconds since the epoch
 * @param timezone - IANA name
 */
export function shownTime(at: number, timezone: string): ShownTime {
  return { at, local: localText(at, timezone), utc: new Date(at).toISOString() };
}

function localText(at: number, timezone: string): string {
  const moment = DateTime.fromMillis(at, { zone: timezone, locale: "en" });
  if (!moment.isValid) return new Date(at).toISOString();
  return moment.toFormat(moment.second === 0 ? "ccc yyyy-LL-dd HH:mm" : "ccc yyyy-LL-dd HH:mm:ss");
}

function expressionText(expression: string): string {
  const [minute = "", hour = "", day, month, weekday = "", ...more] = expression.split(" ");
  const isDaily = NUMBERS.test(minute) && NUMBERS.test(hour) && day === "*" && month === "*";
  const days = more.length === 0 && isDaily ? daysText(weekday) : undefined;
  if (days !== undefined) {
    return `Every ${days} at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  }
  const options = { use24HourTimeFormat: true, throwExceptionOnParseError: false };
  const text = cronstrue.toString(expression, options);
  // The words are for people only; the expression itself is always right.
  return text.startsWith("An error") ? `At the times of "${expression}"` : text;
}

function daysText(weekday: string): string | undefined {
  if (weekday === "*") return "day";
  if (/^(?:1-5|mon-fri)$/i.test(weekday)) return "weekday";
  const names = weekday.split(",").map(dayName);
  const known = names.filter((name) => name !== undefined);
  if (known.length !== names.length) return undefined;
  const last = known.at(-1) ?? "";
  return known.length === 1 ? last : `${known.slice(0, -1).join(", ")} and ${last}`;
}

function dayName(text: string): string | undefined {
  if (/^[0-7]$/.test(text)) return WEEKDAYS[Number(text) % 7];
  return WEEKDAYS.find((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase());
}
