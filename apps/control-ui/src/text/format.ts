import { catalogue, inLocale } from "./catalogue.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const seconds = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const weekday = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const shortDate = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
});
const whole = new Intl.NumberFormat();

const text = catalogue({
  days: (days: number) => counted(days, "day"),
  daysAndHours: (days: number, hours: number) => `${counted(days, "day")} ${hours} h`,
  hours: (hours: number) => `${hours} h`,
  hoursAndMinutes: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  minutes: (minutes: number) => `${minutes} min`,
  minutesAndSeconds: (minutes: number, left: number) => `${minutes} min ${left} s`,
  seconds: (number: string) => `${number} s`,
  milliseconds: (number: number) => `${number} ms`,
  shortDays: (days: number) => `${days} d`,
  present: "now",
  millions: (number: string) => `${number} M`,
  bytes: (number: string, unit: string) => `${number} ${unit}`,
});

/**
 * Returns a time as lists show it: today by the clock, this week with the day, else the date.
 * @param at - milliseconds since the epoch
 * @param today - present time
 */
export function shortTime(at: number, today = Date.now()): string {
  const midnight = new Date(today).setHours(0, 0, 0, 0);
  const nextDay = new Date(midnight).setDate(new Date(midnight).getDate() + 1);
  if (at >= midnight && at < nextDay) return inLocale(clock.format(at));
  // Within six days, a weekday names one day.
  if (at >= nextDay)
    return inLocale(at < nextDay + 5 * DAY ? weekday.format(at) : shortDate.format(at));
  return inLocale(at >= midnight - 6 * DAY ? weekday.format(at) : shortDate.format(at));
}

/**
 * Returns a time of today with seconds.
 * @param at - milliseconds since the epoch
 */
export function exactTime(at: number): string {
  return inLocale(seconds.format(at));
}

/**
 * Returns a time by the clock.
 * @param at - milliseconds since the epoch
 */
export function clockTime(at: number): string {
  return inLocale(clock.format(at));
}

/**
 * Returns a day with its weekday.
 * @param at - milliseconds since the epoch
 */
export function wholeDay(at: number): string {
  return inLocale(full.format(at));
}

/**
 * Returns the day and the time of the status line.
 * @param at - milliseconds since the epoch
 */
export function dayAndTime(at: number): readonly [day: string, time: string] {
  return [inLocale(full.format(at)), inLocale(clock.format(at))];
}

/**
 * Returns the time until an end: minutes, and seconds below five minutes.
 * @param ms - milliseconds, not negative
 */
export function timeLeft(ms: number): string {
  if (ms >= DAY) return text.days(Math.floor(ms / DAY));
  if (ms >= HOUR) {
    return text.hoursAndMinutes(Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE));
  }
  if (ms > 5 * MINUTE) return text.minutes(Math.ceil(ms / MINUTE));
  const left = Math.ceil(ms / 1000);
  return `${String(Math.floor(left / 60)).padStart(2, "0")}:${String(left % 60).padStart(2, "0")}`;
}

/**
 * Returns a date without its year.
 * @param date - for example `2026-11-30`
 */
export function dayName(date: string): string {
  return inLocale(shortDate.format(new Date(`${date}T00:00`)));
}

/**
 * Returns a duration.
 * @param ms - milliseconds
 * @param least - `s` for whole seconds, for one that is still growing
 */
export function duration(ms: number, least: "ms" | "s" = "ms"): string {
  if (least === "s" && ms < MINUTE) return text.seconds(String(Math.floor(ms / 1000)));
  if (ms >= 0.05 && ms < 0.95) return text.milliseconds(Number(ms.toFixed(1)));
  if (ms < 1000) return text.milliseconds(Math.round(ms));
  if (ms < 10_000) return text.seconds((ms / 1000).toFixed(2));
  if (ms < MINUTE) return text.seconds((ms / 1000).toFixed(1));
  if (ms < HOUR) {
    return text.minutesAndSeconds(Math.floor(ms / MINUTE), Math.floor((ms % MINUTE) / 1000));
  }
  if (ms < DAY) {
    return text.hoursAndMinutes(Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE));
  }
  return text.daysAndHours(Math.floor(ms / DAY), Math.floor((ms % DAY) / HOUR));
}

/**
 * Returns an amount of dollars: with four digits below ten cents, and never as nothing when it is something.
 * @param usd - decimal number as the gateway sends it
 */
export function cost(usd: string): string {
  const amount = Number(usd);
  return `$${amount !== 0 && amount < 0.1 ? amount.toFixed(4) : amount.toFixed(2)}`;
}

/**
 * Returns a number of things.
 * @param one - word for one
 * @param many - word for any other number
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : many}`;
}

/**
 * Returns the first line of a text that is not empty.
 * @param text - text of any length
 */
export function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.trim() ?? "";
}

/**
 * Returns a number of tokens: whole below a million.
 * @param count - number of tokens
 */
export function tokens(count: number): string {
  return count < 1_000_000 ? whole.format(count) : text.millions((count / 1_000_000).toFixed(1));
}

/**
 * Returns how long ago something was, in one unit.
 * @param ms - milliseconds, not negative
 */
export function ago(ms: number): string {
  if (ms < MINUTE) return text.present;
  if (ms < HOUR) return text.minutes(Math.floor(ms / MINUTE));
  return ms < DAY ? text.hours(Math.floor(ms / HOUR)) : text.shortDays(Math.floor(ms / DAY));
}

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/**
 * Returns a size in bytes with its unit.
 * @param size - number of bytes
 */
export function bytes(size: number): string {
  const step = Math.min(
    UNITS.length - 1,
    size < 1 ? 0 : Math.floor(Math.log(size) / Math.log(1024)),
  );
  const number = size / 1024 ** step;
  return text.bytes(
    step === 0 || number >= 100 ? String(Math.round(number)) : number.toFixed(1),
    UNITS[step] ?? "B",
  );
}
