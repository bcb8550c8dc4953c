import { nextOfExpression } from "./cron-expression.js";

/** When a routine is due. Times are milliseconds since the epoch. */
export type Schedule =
  | { readonly kind: "at"; readonly at: number; readonly timezone: string }
  | {
      readonly kind: "every";
      readonly everyMs: number;
      /** A due time, from which the others are counted. */
      readonly anchor: number;
      readonly timezone: string;
    }
  | { readonly kind: "cron"; readonly expression: string; readonly timezone: string };

/**
 * Returns the first due time after another. It depends on nothing else, so that listing, editing or a restart never
 * moves a due time (JOB-026).
 * @param after - the last planned time, or the time since which the schedule holds
 * @returns undefined when it is not due any more
 * @throws RangeError, TypeError when this process no longer has the zone
 */
export function nextTime(schedule: Schedule, after: number): number | undefined {
  switch (schedule.kind) {
    case "at":
      return schedule.at > after ? schedule.at : undefined;
    case "every": {
      const { anchor, everyMs } = schedule;
      return anchor + (Math.floor((after - anchor) / everyMs) + 1) * everyMs;
    }
    case "cron":
      return nextOfExpression(schedule.expression, schedule.timezone, after);
  }
}

/**
 * Returns the next due times, at most a number of them.
 * @param after - as for {@link nextTime}
 * @param count - maximum number
 */
export function nextTimes(schedule: Schedule, after: number, count: number): readonly number[] {
  const times: number[] = [];
  let last = after;
  while (times.length < count) {
    const next = nextTime(schedule, last);
    if (next === undefined) break;
    times.push(next);
    last = next;
  }
  return times;
}

/**
 * Returns the time between the next two due times; undefined when at most one is left.
 * @param after - as for {@link nextTime}
 */
export function gapOf(schedule: Schedule, after: number): number | undefined {
  const [first, second] = nextTimes(schedule, after, 2);
  return first === undefined || second === undefined ? undefined : second - first;
}
