import { nearestNames, withSuggestion } from "@openclaw/foundation";
import { DateTime, Duration, FixedOffsetZone, IANAZone, type Zone } from "luxon";
import { ToolRefusalError } from "../errors.js";

/** Date, time and offset. The library also reads forms such as `2026-W10` and 24:00, which this tool does not. */
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ]((?:[01]\d|2[0-3]):?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)\s?([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;

/** The supported fields of Unicode date patterns; of those that the library spells differently, its spelling. */
const FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "yyyy yy MMMM MMM MM M dd d EEEE EEE HH H hh h mm m ss s SSS a"
      .split(" ")
      .map((field) => [field, field]),
  ),
  XXX: "ZZ",
  VV: "z",
};

/** Quoted text (two quotes stand for one), a run of one letter, or anything else. */
const PATTERN_PART = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g;

/**
 * Returns a time zone of the IANA database.
 * @param name - an IANA name in any letter case
 * @throws ToolRefusalError when no such zone exists, naming similar ones
 */
export function timeZone(name: string): Zone {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions();
    return timeZone === "UTC" ? FixedOffsetZone.utcInstance : IANAZone.create(timeZone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolRefusalError(
      "invalid-value",
      withSuggestion(
        `"${name}" is not a time zone of the IANA database`,
        nearestNames(name, Intl.supportedValuesOf("timeZone")),
        "an example is Europe/Berlin",
      ),
      { cause: error },
    );
  }
}

/**
 * Returns an instant as shown by the clocks of a zone.
 * @param epochMs - milliseconds since 1970
 */
export function zonedTime(epochMs: number, zone: Zone): DateTime {
  return DateTime.fromMillis(epochMs, { zone, locale: "en-US" });
}

/**
 * Reads an ISO-8601 timestamp: a date, or a date and time with or without offset. Of a local time that occurs twice
 * (clocks set back) the earlier instant is taken; one that is skipped (clocks set forward) is read with the offset
 * before the change.
 * @param text - for example `2026-03-01`, `2026-03-01T09:30` or `2026-03-01T09:30:00.5+01:00`
 * @param zone - zone of a text without an offset
 * @throws ToolRefusalError when the text is not such a timestamp, or not a day or time that exists
 */
export function parseTimestamp(text: string, zone: Zone): DateTime {
  const [, date, time = "00:00", offset = ""] = TIMESTAMP.exec(text.trim()) ?? [];
  if (date === undefined) throw invalidTimestamp(text, "is not an ISO-8601 timestamp");
  const read = DateTime.fromISO(`${date}T${time}${offset}`, { zone, locale: "en-US" });
  if (!read.isValid) throw invalidTimestamp(text, "names a day or time that does not exist");
  if (offset !== "") return read;
  return DateTime.min(...read.getPossibleOffsets()) ?? read;
}

/**
 * Returns a time in ISO-8601 with milliseconds and offset, for example `2026-03-01T09:30:00.000+01:00`.
 * @param time - its zone is shown; UTC is written as `Z`
 */
export function isoString(time: DateTime): string {
  // ISO-8601 cannot write the seconds that some offsets had before 1972: the local time omits them,
  // so that the instant stays correct.
  const shown = Number.isInteger(time.offset)
    ? time
    : time.setZone(FixedOffsetZone.instance(Math.round(time.offset)));
  return shown.toISO() ?? String(time);
}

/**
 * Writes a time by a pattern of Unicode date fields, with English names.
 * @param time - its zone is shown
 * @param pattern - for example `EEE, d MMM yyyy HH:mm XXX`; text in single quotes is copied
 * @throws ToolRefusalError when the pattern has a field that is not supported, or an open quote
 */
export function formatTime(time: DateTime, pattern: string): string {
  return pattern.replace(PATTERN_PART, (part: string, quoted?: string, letter?: string) => {
    if (quoted !== undefined) return quoted === "" ? "'" : quoted.replaceAll("''", "'");
    if (part === "'") throw invalidPattern(pattern, "a quote is not closed");
    if (letter === undefined) return part;
    const field = Object.hasOwn(FIELDS, part) ? FIELDS[part] : undefined;
    if (field === undefined) throw invalidPattern(pattern, `"${part}" is not a field`);
    return time.toFormat(field);
  });
}

/**
 * Returns a span of time as an ISO-8601 duration in days of 24 hours, hours, minutes and seconds.
 * @param milliseconds - negative for a span backwards
 */
export function isoDuration(milliseconds: number): string {
  const span = Duration.fromMillis(Math.abs(milliseconds));
  const text = span.shiftTo("days", "hours", "minutes", "seconds").toISO();
  return milliseconds < 0 ? `-${text}` : text;
}

function invalidTimestamp(text: string, problem: string): ToolRefusalError {
  return new ToolRefusalError(
    "invalid-value",
    `"${text}" ${problem}. Write it like 2026-03-01, 2026-03-01T09:30:00Z or 2026-03-01T09:30:00+01:00.`,
  );
}

function invalidPattern(pattern: string, problem: string): ToolRefusalError {
  return new ToolRefusalError(
    "invalid-value",
    `The format "${pattern}" cannot be used: ${problem}. Fields are ${Object.keys(FIELDS).join(" ")}; other text goes in single quotes.`,
  );
}
