const QUARTER_HOUR_MS = 15 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Offsets of time zones from UTC are between these. */
const FURTHEST_WEST_MS = 12 * HOUR_MS;
const FURTHEST_EAST_MS = 14 * HOUR_MS;

/** Part of the calendar, in milliseconds since the epoch. */
export interface Period {
  readonly start: number;
  /** End, exclusive: the start of the next one. */
  readonly end: number;
}

/**
 * Days and months of a time zone. A day starts at the first moment of its date, and ends when the next one starts.
 * So each moment belongs to one day, and a day never comes back, also where a clock that is set back at midnight shows
 * a date twice (LLM-031).
 */
export class Calendar {
  /** IANA name of the time zone, for example `Europe/Berlin`. */
  readonly zone: string;
  /** Undefined for UTC, whose dates need no tables of time zones. */
  readonly #dates: Intl.DateTimeFormat | undefined;
  readonly #starts = new Map<string, number>();

  /**
   * @param zone - IANA name of the time zone
   * @throws RangeError when the zone does not exist
   */
  constructor(zone: string) {
    this.zone = zone;
    if (zone === "UTC") return;
    this.#dates = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      calendar: "iso8601",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
  }

  /**
   * Returns the day of a moment.
   * @param at - milliseconds since the epoch
   */
  day(at: number): Period {
    const shown = this.#dateAt(at);
    const next = this.#startOf(following(shown));
    // The clock was set back over midnight: the date of the next day was reached before.
    if (next <= at) return { start: next, end: this.#startOf(following(following(shown))) };
    return { start: this.#startOf(shown), end: next };
  }

  /**
   * Returns the date of a moment's day, as `YYYY-MM-DD`.
   * @param at - milliseconds since the epoch
   */
  dateOf(at: number): string {
    return this.#dateAt(this.day(at).start);
  }

  /**
   * Returns the month of a moment.
   * @param at - milliseconds since the epoch
   */
  month(at: number): Period {
    const [year = 0, month = 0] = this.dateOf(at).split("-").map(Number);
    return {
      start: this.#startOf(dateText(year, month, 1)),
      end: this.#startOf(dateText(year, month + 1, 1)),
    };
  }

  /**
   * Returns a moment as date and time of the zone, for messages.
   * @param at - milliseconds since the epoch
   */
  show(at: number): string {
    const time = new Intl.DateTimeFormat("en-GB", {
      timeZone: this.zone,
      hour: "2-digit",
      minute: "2-digit",
    }).format(at);
    return `${this.#dateAt(at)} ${time} ${this.zone}`;
  }

  #dateAt(at: number): string {
    return this.#dates?.format(at) ?? new Date(at).toISOString().slice(0, 10);
  }

  /** Returns the first moment that shows a date or, where a zone skipped it, a later one. */
  #startOf(date: string): number {
    const known = this.#starts.get(date);
    if (known !== undefined) return known;
    const midnight = Date.parse(`${date}T00:00:00Z`);
    let start = midnight - FURTHEST_EAST_MS;
    // Clocks are set at full quarters of an hour only. The dates of ISO 8601 sort as text.
    while (this.#dateAt(start) < date && start < midnight + FURTHEST_WEST_MS + DAY_MS) {
      start += QUARTER_HOUR_MS;
    }
    if (this.#starts.size > MOST_DATES) this.#starts.clear();
    this.#starts.set(date, start);
    return start;
  }
}

/** Number of dates whose start is kept; a host needs those of today and of this month. */
const MOST_DATES = 1000;

function following(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  return dateText(year, month, day + 1);
}

function dateText(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
