import { ToolRefusalError } from "../errors.js";
import { offsetString, type TimeZone, type WallTime } from "./time-zone.js";

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
];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** What a field of a pattern is made from. */
interface Moment {
  readonly wall: WallTime;
  readonly offset: number;
  readonly zone: string;
}

/** The fields of Unicode date patterns that are supported. */
const FIELDS: Readonly<Record<string, (moment: Moment) => string>> = {
  yyyy: ({ wall }) => padded(wall.year, 4),
  yy: ({ wall }) => padded(wall.year % 100, 2),
  MMMM: ({ wall }) => MONTHS[wall.month - 1] ?? "",
  MMM: ({ wall }) => (MONTHS[wall.month - 1] ?? "").slice(0, 3),
  MM: ({ wall }) => padded(wall.month, 2),
  M: ({ wall }) => String(wall.month),
  dd: ({ wall }) => padded(wall.day, 2),
  d: ({ wall }) => String(wall.day),
  EEEE: ({ wall }) => weekday(wall),
  EEE: ({ wall }) => weekday(wall).slice(0, 3),
  HH: ({ wall }) => padded(wall.hour, 2),
  H: ({ wall }) => String(wall.hour),
  hh: ({ wall }) => padded(hourOfHalfDay(wall), 2),
  h: ({ wall }) => String(hourOfHalfDay(wall)),
  mm: ({ wall }) => padded(wall.minute, 2),
  m: ({ wall }) => String(wall.minute),
  ss: ({ wall }) => padded(wall.second, 2),
  s: ({ wall }) => String(wall.second),
  SSS: ({ wall }) => padded(wall.millisecond, 3),
  a: ({ wall }) => (wall.hour < 12 ? "AM" : "PM"),
  XXX: ({ offset }) => offsetString(offset),
  VV: ({ zone }) => zone,
};

/** Quoted text (two quotes stand for one), a run of one letter, or anything else. */
const PIECE = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g;

/**
 * Writes an instant by a pattern of Unicode date fields, with English names.
 * @param epochMs - the instant, in milliseconds since 1970
 * @param pattern - for example `EEE, d MMM yyyy HH:mm XXX`; text in single quotes stays as it is
 * @param zone - whose clock to show
 * @throws ToolRefusalError when the pattern has a field that is not supported, or an open quote
 */
export function formatTime(epochMs: number, pattern: string, zone: TimeZone): string {
  const moment: Moment = {
    wall: zone.wallAt(epochMs),
    offset: zone.offsetAt(epochMs),
    zone: zone.name,
  };
  return pattern.replace(PIECE, (piece: string, quoted?: string, letter?: string) => {
    if (quoted !== undefined) return quoted === "" ? "'" : quoted.replaceAll("''", "'");
    if (piece === "'") throw invalid(pattern, "a quote is not closed");
    if (letter === undefined) return piece;
    const field = Object.hasOwn(FIELDS, piece) ? FIELDS[piece] : undefined;
    if (field === undefined) throw invalid(pattern, `"${piece}" is no field`);
    return field(moment);
  });
}

function weekday({ year, month, day }: WallTime): string {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return WEEKDAYS[date.getUTCDay()] ?? "";
}

function hourOfHalfDay({ hour }: WallTime): number {
  return hour % 12 === 0 ? 12 : hour % 12;
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function invalid(pattern: string, problem: string): ToolRefusalError {
  return new ToolRefusalError(
    "invalid-value",
    `The format "${pattern}" cannot be used: ${problem}. Fields are ${Object.keys(FIELDS).join(" ")}; other text goes in single quotes.`,
  );
}
