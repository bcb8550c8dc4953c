import type { DayCalendar } from "../day.js";

/** Hours in which only critical notifications are sent, in minutes since midnight. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
  readonly calendar: DayCalendar;
}

/**
 * Returns the minutes since midnight of a time such as `22:30`.
 * @param time - hours and minutes with a colon
 */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/**
 * Returns true within the quiet hours; they may pass midnight, and equal times mean none.
 * @param hours - beginning (included) and end (excluded)
 * @param now - milliseconds since the epoch
 */
export function isQuiet({ from, to, calendar }: QuietHours, now: number): boolean {
  const minute = calendar.minuteOf(now);
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}
