import { ToolRefusalError } from "../errors.js";
import { nearestNames } from "../nearest-names.js";

/** A date and time as a calendar and a clock on the wall show it. */
export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A time zone of the IANA database, computed with the data of the runtime. */
export class TimeZone {
  /** Canonical spelling where the runtime knows one, for example `Europe/Berlin`. */
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  /**
   * @param name - an IANA name, in any letter case
   * @throws ToolRefusalError when there is no such zone, naming similar ones
   */
  constructor(name: string) {
    this.#format = formatFor(name);
    this.name = this.#format.resolvedOptions().timeZone;
  }

  /**
   * Distance from UTC at an instant.
   * @param epochMs - the instant, in milliseconds since 1970
   * @returns milliseconds, positive east of Greenwich
   */
  offsetAt(epochMs: number): number {
    const parts = new Map<string, number>();
    for (const { type, value } of this.#format.formatToParts(epochMs)) {
      parts.set(type, Number(value));
    }
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = wallEpoch({
      year: part("year"),
      month: part("month"),
      day: part("day"),
      hour: part("hour"),
      minute: part("minute"),
      second: part("second"),
      millisecond: 0,
    });
    return wall - Math.floor(epochMs / 1000) * 1000;
  }

  /**
   * What calendar and clock show at an instant.
   * @param epochMs - the instant, in milliseconds since 1970
   */
  wallAt(epochMs: number): WallTime {
    const shifted = new Date(epochMs + this.offsetAt(epochMs));
    return {
      year: shifted.getUTCFullYear(),
      month: shifted.getUTCMonth() + 1,
      day: shifted.getUTCDate(),
      hour: shifted.getUTCHours(),
      minute: shifted.getUTCMinutes(),
      second: shifted.getUTCSeconds(),
      millisecond: shifted.getUTCMilliseconds(),
    };
  }

  /**
   * The instant at which the clock shows a time. Of two (clocks set back) it is the earlier one; a
   * time that is left out (clocks set forward) counts on from before the change.
   * @param wall - what calendar and clock show
   * @returns milliseconds since 1970
   */
  instantOf(wall: WallTime): number {
    const asUtc = wallEpoch(wall);
    const before = this.offsetAt(asUtc - DAY_MS);
    const after = this.offsetAt(asUtc + DAY_MS);
    const matching = [asUtc - before, asUtc - after].filter(
      (instant) => instant + this.offsetAt(instant) === asUtc,
    );
    return matching.length > 0 ? Math.min(...matching) : asUtc - before;
  }
}

/**
 * An instant in ISO-8601 with the offset of a zone, for example `2026-03-01T09:30:00.000+01:00`.
 * @param epochMs - the instant, in milliseconds since 1970
 * @param zone - whose clock to show; UTC is written as `Z`
 */
export function isoString(epochMs: number, zone: TimeZone): string {
  // Offsets of old days had seconds, which ISO-8601 cannot write: the clock is off by them then, so
  // that the instant stays right.
  const offset = Math.round(zone.offsetAt(epochMs) / MINUTE_MS) * MINUTE_MS;
  const local = new Date(epochMs + offset).toISOString().slice(0, -1);
  return `${local}${zone.name === "UTC" ? "Z" : offsetString(offset)}`;
}

/**
 * An offset as ISO-8601 writes it, for example `+05:30`.
 * @param offsetMs - milliseconds, positive east of Greenwich
 */
export function offsetString(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / MINUTE_MS);
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${offsetMs < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** The instant at which a clock in UTC would show a time; years below 100 mean what they say. */
export function wallEpoch(wall: WallTime): number {
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  date.setUTCHours(wall.hour, wall.minute, wall.second, wall.millisecond);
  return date.getTime();
}

function formatFor(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-iso8601-hc-h23-nu-latn", {
      timeZone: name,
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const near = nearestNames(name, Intl.supportedValuesOf("timeZone"));
    const hint = near.length > 0 ? `Similar: ${near.join(", ")}.` : "An example is Europe/Berlin.";
    throw new ToolRefusalError(
      "invalid-value",
      `"${name}" is not a time zone of the IANA database. ${hint}`,
      { cause: error },
    );
  }
}
