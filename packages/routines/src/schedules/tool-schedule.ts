import type { RoutineChangeRequest } from "../request.js";
import { readDays } from "./day-words.js";

/**
 * Returns the schedule that a person or a model wrote in one text: they write lengths of time, days and moments where an
 * expression is expected.
 * @param schedule - an expression, `every 30m`, `every weekday at 9:00`, `weekdays at 9`, or one time
 */
export function scheduleRequest(schedule: string): RoutineChangeRequest {
  const text = schedule.trim();
  const [, every] = /^every\s+(.*)$/is.exec(text) ?? [];
  if (every !== undefined) return { every };
  const [, days] =
    /^(?:on\s+)?((?:weekdays|daily|[a-z]+days(?:\s*(?:,|and)\s*[a-z]+days)*)\b.*)$/is.exec(text) ??
    [];
  const repeated = days?.replace(/^daily/i, "day");
  if (repeated !== undefined && readDays(repeated) !== undefined) return { every: repeated };
  const isExpression = text.startsWith("@") || /^[\d*]\S*(?:\s+\S+){4}/.test(text);
  return isExpression ? { cron: text } : { at: text };
}
