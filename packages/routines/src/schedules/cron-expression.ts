import { errorMessage } from "@openclaw/foundation";
import { Cron } from "croner";
import { ScheduleInvalidError } from "./errors.js";

const LONGEST = 200;
/** Occurrences whose distance is checked when an expression is read. */
const CHECKED = 64;
/** Shortest time between two runs of a routine. */
export const SHORTEST_MS = 60_000;

const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** The expressions of a process that were compiled lately, because a list of routines asks for each again. */
const compiled = new Map<string, Cron>();
const MOST_COMPILED = 500;

/**
 * Returns an expression with five to seven fields, also for a name such as `@daily`.
 * @param expression - expression or name
 */
function fieldsOf(expression: string): string {
  const written = expression.trim().replaceAll(/\s+/g, " ");
  return NICKNAMES[written.toLowerCase()] ?? written;
}

/**
 * Returns the first time of an expression after another.
 * @param expression - expression that was read by {@link requireExpression}
 * @param timezone - its zone
 * @param after - milliseconds since the epoch
 * @returns undefined when there is none
 * @throws RangeError, TypeError when this process no longer has the zone
 */
export function nextOfExpression(
  expression: string,
  timezone: string,
  after: number,
): number | undefined {
  return cronOf(expression, timezone).nextRun(new Date(after))?.getTime();
}

/**
 * Returns an expression that comes due, and not more often than once a minute.
 * @param expression - five fields, six with seconds first, seven with the year last, or a name such as `@daily`
 * @param timezone - a known zone
 * @param now - milliseconds since the epoch
 * @throws ScheduleInvalidError for every other text
 */
export function requireExpression(expression: string, timezone: string, now: number): string {
  const fields = fieldsOf(expression);
  if (fields.length > LONGEST) {
    throw new ScheduleInvalidError("cron", `it has more than ${LONGEST} characters; shorten it`);
  }
  const times = timesOf(expression, fields, timezone, now);
  if (times.length === 0) {
    throw new ScheduleInvalidError(
      "cron",
      `"${expression}" never comes due after now; check its day, month and year`,
    );
  }
  const isDense = times.some((time, index) => time - (times[index - 1] ?? 0) < SHORTEST_MS);
  if (isDense) {
    throw new ScheduleInvalidError(
      "cron",
      `"${expression}" comes due more than once a minute; leave the field for seconds out, or write one value`,
    );
  }
  return fields;
}

function timesOf(
  expression: string,
  fields: string,
  timezone: string,
  now: number,
): readonly number[] {
  const count = fields.split(" ").length;
  if (count < 5 || count > 7) {
    throw new ScheduleInvalidError(
      "cron",
      `"${expression}" has ${count} ${count === 1 ? "field" : "fields"}, expected 5 (minute hour day month weekday), 6 (seconds first), 7 (year last) or a name such as @daily`,
    );
  }
  try {
    return cronOf(fields, timezone)
      .nextRuns(CHECKED, new Date(now))
      .map((time) => time.getTime());
  } catch (error) {
    const why = errorMessage(error).replace(/^CronPattern: /, "");
    throw new ScheduleInvalidError(
      "cron",
      `"${expression}" is not a cron expression: ${why}; for example 0 8 * * 1-5 is each weekday at 08:00`,
    );
  }
}

function cronOf(fields: string, timezone: string): Cron {
  const key = `${timezone} ${fields}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  // Otherwise a list such as `30 2,14 * * *` runs twice when the clocks go back, and is left out when they go forward.
  const cron = new Cron(fields, { timezone, fixedTimeRule: "no-wildcard", paused: true });
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(key, cron);
  return cron;
}
