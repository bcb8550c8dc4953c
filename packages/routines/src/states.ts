import type { Routine, Store } from "@openclaw/store";
import { scheduleOf, shownDefinition } from "./definition.js";
import { nextTime } from "./schedules/schedule.js";
import { isKnownZone } from "./schedules/zone.js";
import type { RoutineState } from "./view.js";

/**
 * Returns the last planned time of a routine, or the time since which its schedule holds when that is later. The next due
 * time is derived from it and the schedule, and from nothing else (JOB-026).
 * @param routine - the routine
 * @param store - its due times
 */
export async function plannedUntil(
  { routineId, scheduledFrom }: Routine,
  { routines }: Pick<Store, "routines">,
): Promise<number> {
  return Math.max(scheduledFrom, (await routines.runs.lastPlanned(routineId)) ?? scheduledFrom);
}

/**
 * Returns the next due time of a routine; undefined when it has none, or its zone has disappeared.
 * @param routine - the routine
 * @param after - {@link plannedUntil}
 */
export function nextDue(routine: Routine, after: number): number | undefined {
  const schedule = scheduleOf(shownDefinition(routine));
  return schedule !== undefined && isKnownZone(schedule.timezone)
    ? nextTime(schedule, after)
    : undefined;
}

/**
 * Returns a routine with what is known of its runs.
 * @param routine - the routine
 * @param store - its due times
 */
export async function stateOf(
  routine: Routine,
  store: Pick<Store, "routines">,
): Promise<RoutineState> {
  const { routineId } = routine;
  const after = await plannedUntil(routine, store);
  const [lastRun] = await store.routines.runs.of({ routineId, limit: 1, isDone: true });
  return { routine, lastRun, after, nextAt: nextDue(routine, after) };
}
