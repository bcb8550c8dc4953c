import { ToolRefusalError } from "../errors.js";
import { type TimeZone, type WallTime, wallEpoch } from "./time-zone.js";

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Reads an ISO-8601 timestamp: a date, or a date and time with or without offset.
 * @param text - for example `2026-03-01`, `2026-03-01T09:30` or `2026-03-01T09:30:00.5+01:00`
 * @param zone - whose clock is meant where the text has no offset
 * @returns milliseconds since 1970; finer fractions are cut off
 * @throws ToolRefusalError when it is no such timestamp or no day of the calendar
 */
export function parseTimestamp(text: string, zone: TimeZone): number {
  const found = TIMESTAMP.exec(text.trim());
  if (found === null) {
    throw invalid(text, "is not an ISO-8601 timestamp");
  }
  const field = (group: number) => Number(found[group] ?? "0");
  const wall: WallTime = {
    year: field(1),
    month: field(2),
    day: field(3),
    hour: field(4),
    minute: field(5),
    second: field(6),
    millisecond: Number((found[7] ?? "").padEnd(3, "0").slice(0, 3)),
  };
  if (!isOnCalendar(wall)) throw invalid(text, "names a day or time that does not exist");
  const offset = found[8];
  if (offset === undefined) return zone.instantOf(wall);
  return wallEpoch(wall) - offsetMs(text, offset);
}

/** A field out of range would spill over into the next one. */
function isOnCalendar(wall: WallTime): boolean {
  const date = new Date(wallEpoch(wall));
  return (
    date.getUTCMonth() + 1 === wall.month &&
    date.getUTCDate() === wall.day &&
    wall.hour < 24 &&
    wall.minute < 60 &&
    wall.second < 60
  );
}

function offsetMs(text: string, offset: string): number {
  if (offset === "Z" || offset === "z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) throw invalid(text, "has an offset that does not exist");
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function invalid(text: string, problem: string): ToolRefusalError {
  return new ToolRefusalError(
    "invalid-value",
    `"${text}" ${problem}. Write it like 2026-03-01, 2026-03-01T09:30:00Z or 2026-03-01T09:30:00+01:00.`,
  );
}
