import { readClock } from "./moment.js";

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Days in words, with their number in a cron expression. */
const GROUPS: Readonly<Record<string, string>> = {
  day: "*",
  morning: "*",
  evening: "*",
  night: "*",
  weekday: "1-5",
  weekdays: "1-5",
  workday: "1-5",
  weekend: "0,6",
};

/** Words of a schedule: `every weekday at 9`, `every monday and thursday at 17:30`, `daily at 8`. */
const FORM = /^(.+?)(?:\s+at)?\s+(\d{1,2}(?::\d{2})?\s*(?:am|pm)?)$/;

/**
 * Reads days with a time of the day, as people write them after "every": `weekday at 9`, `monday and thursday at 17:30`.
 * @param text - the words
 * @returns a cron expression; undefined for other text
 */
export function readDays(text: string): string | undefined {
  const [, named = "", clock = ""] = FORM.exec(text.trim().toLowerCase()) ?? [];
  const time = readClock(clock);
  if (time === undefined) return undefined;
  const days = named.split(/\s*,\s*(?:and\s+)?|\s+and\s+/).map(dayNumber);
  if (days.some((day) => day === undefined)) return undefined;
  return `${time.minute} ${time.hour} * * ${[...new Set(days)].join(",")}`;
}

/**
 * Returns true for days without a time of the day.
 * @param text - words after "every"
 */
export function namesDays(text: string): boolean {
  return readDays(`${text} at 0:00`) !== undefined;
}

function dayNumber(name: string): string | undefined {
  if (Object.hasOwn(GROUPS, name)) return GROUPS[name];
  const single = name.replace(/s$/, "");
  const day = DAYS.findIndex((each) => each === single || each.slice(0, 3) === name);
  return day === -1 ? undefined : String(day);
}
