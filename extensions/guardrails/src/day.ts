const HOUR_MS = 3_600_000;
/** Longest day there is, with the end of daylight saving time. */
const LONGEST_DAY_MS = 26 * HOUR_MS;

/** Calendar of a time zone. */
export class DayCalendar {
  readonly timeZone: string;
  readonly #days: Intl.DateTimeFormat;
  readonly #times: Intl.DateTimeFormat;
  #known: { readonly minute: number; readonly day: string } | undefined;

  /**
   * @param timeZone - for example `Europe/Lisbon`; that of the host when absent
   * @throws RangeError for an unknown time zone
   */
  constructor(timeZone?: string) {
    const zone = timeZone === undefined ? {} : { timeZone };
    this.#days = new Intl.DateTimeFormat("en-CA", { ...zone, dateStyle: "short" });
    this.#times = new Intl.DateTimeFormat("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" });
    this.timeZone = this.#days.resolvedOptions().timeZone;
  }

  /**
   * Returns the day of a time, as `YYYY-MM-DD`.
   * @param at - milliseconds since the epoch
   */
  dayOf(at: number): string {
    // Formatting takes long, and the day does not change within a minute.
    const minute = Math.floor(at / 60_000);
    if (this.#known?.minute !== minute) this.#known = { minute, day: this.#days.format(at) };
    return this.#known.day;
  }

  /**
   * Returns the minutes since midnight that a clock shows.
   * @param at - milliseconds since the epoch
   */
  minuteOf(at: number): number {
    const [hour = 0, minute = 0] = this.#times.format(at).split(":").map(Number);
    return (hour % 24) * 60 + minute;
  }

  /**
   * Returns the beginning of the next day.
   * @param at - milliseconds since the epoch
   */
  nextDay(at: number): number {
    const today = this.dayOf(at);
    let [before, after] = [at, at + LONGEST_DAY_MS];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#days.format(middle) === today) before = middle;
      else after = middle;
    }
    return after;
  }
}

/**
 * Returns a duration in hours and minutes, for example `5 h 12 min`.
 * @param milliseconds - duration
 */
export function shownDuration(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / 60_000));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
