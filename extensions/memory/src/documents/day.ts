const formats = new Map<string, Intl.DateTimeFormat>();

/** Date and time of a moment in a time zone. */
export interface LocalTime {
  /** Date in the form YYYY-MM-DD. */
  readonly day: string;
  /** Time in the form HH:MM:SS. */
  readonly time: string;
}

/**
 * Returns the date and time of a moment in a time zone.
 * @param now - milliseconds since the epoch
 * @param timeZone - name such as Europe/Lisbon; the zone of the process when undefined
 */
export function localTime(now: number, timeZone: string | undefined): LocalTime {
  // The tables of time zones take longer to load than the rest of the memory.
  if (timeZone === undefined) return processTime(new Date(now));
  const fields = new Map<string, string>(
    formatFor(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const of = (...names: readonly string[]) => names.map((name) => fields.get(name) ?? "");
  return {
    day: of("year", "month", "day").join("-"),
    time: of("hour", "minute", "second").join(":"),
  };
}

function processTime(date: Date): LocalTime {
  return {
    day: [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-"),
    time: [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":"),
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}

/**
 * Returns a date some days before another one.
 * @param day - date in the form YYYY-MM-DD
 * @param count - number of days
 */
export function daysBefore(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - count);
  return date.toISOString().slice(0, 10);
}

/** Returns true for a date in the form YYYY-MM-DD that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/**
 * Returns a date as it is written in sentences, for example `4 March 2026`.
 * @param day - date in the form YYYY-MM-DD
 */
export function spokenDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

const WRITTEN = [
  /\b(\d{4})-(\d{2})-(\d{2})\b/g,
  new RegExp(
    `\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?\\s+(?<month>${MONTHS.join("|")})\\s+(?<year>\\d{4})\\b`,
    "gi",
  ),
  new RegExp(
    `\\b(?<month>${MONTHS.join("|")})\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})\\b`,
    "gi",
  ),
] as const;

/**
 * Returns the dates that a text names, in the form YYYY-MM-DD.
 * @param text - for example a query
 */
export function daysIn(text: string): string[] {
  const found = new Set<string>();
  for (const expression of WRITTEN) {
    for (const match of text.matchAll(expression)) {
      const { day, month, year } = match.groups ?? {};
      const written =
        month === undefined
          ? match[0]
          : `${year}-${two(MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase()) + 1)}-${two(Number(day))}`;
      if (isDay(written)) found.add(written);
    }
  }
  return [...found];
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
