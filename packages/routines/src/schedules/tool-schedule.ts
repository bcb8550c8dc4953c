import type { RoutineChangeRequest } from "../request.js";

/**
 * Returns the schedule that a model wrote in one text: models write intervals and moments where an expression is expected.
 * @param schedule - an expression, `every 30m`, or one time
 */
export function scheduleRequest(schedule: string): RoutineChangeRequest {
  const [, every] = /^every\s+(\d.*|an?\s.*)$/i.exec(schedule.trim()) ?? [];
  if (every !== undefined) return { every };
  const fields = schedule.trim().split(/\s+/);
  const isExpression = schedule.startsWith("@") || (fields.length >= 5 && /^[\d*]/.test(schedule));
  return isExpression ? { cron: schedule } : { at: schedule };
}
