import { DateTime } from "luxon";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { RoutineRefusedError } from "./errors.js";

const CLOCK = "^([01]\\d|2[0-3]):[0-5]\\d$";
const clock = (description: string) =>
  Type.String({ pattern: CLOCK, examples: ["22:00"], description });

/** Hours of each day in which nothing begins by itself. */
export const quietHoursSchema = Type.Object(
  {
    from: clock("First minute, for example `22:00`."),
    to: clock(
      "First minute after them, for example `07:00`; before `from`, they last over midnight.",
    ),
  },
  {
    additionalProperties: false,
    description: "Hours of each day in which nothing begins by itself.",
  },
);

/** Hours of each day in which nothing begins by itself, in a zone that is named elsewhere. */
export type QuietHours = Static<typeof quietHoursSchema>;

/**
 * Returns true within quiet hours.
 * @param hours - the hours; equal ones are none
 * @param at - milliseconds since the epoch
 * @param timezone - zone of the hours, a known one
 */
export function isQuiet({ from, to }: QuietHours, at: number, timezone: string): boolean {
  const time = DateTime.fromMillis(at, { zone: timezone }).toFormat("HH:mm");
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

/**
 * Reads quiet hours as people write them.
 * @param text - `22:00-07:00`
 * @throws RoutineRefusedError for every other text
 */
export function readQuietHours(text: string): QuietHours {
  const [, from, to] = /^\s*(\S+?)\s*(?:-|–|to)\s*(\S+)\s*$/.exec(text) ?? [];
  const hours: unknown = { from, to };
  if (Check(quietHoursSchema, hours) && hours.from !== hours.to) return hours;
  throw new RoutineRefusedError(
    `"${text}" is not a range of hours; write quiet hours as 22:00-07:00, or none`,
  );
}
