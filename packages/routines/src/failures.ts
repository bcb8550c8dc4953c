import type { Routine, Store } from "@openclaw/store";
import { isHeartbeat, MOST_HEARTBEAT_FAILURES } from "./heartbeat/definition.js";
import type { RunEnd } from "./runs/verdict.js";

/** Failures in a row after which a routine is disabled. */
const MOST_FAILURES = 5;

/**
 * Disables a routine whose last runs have all failed since it was enabled or its schedule changed (JOB-945).
 * @param unit - transaction that stores the end of the last run
 * @param routine - the routine
 * @param end - end of the last run
 * @returns the routine as it is now
 */
export async function disabledIfFailing(
  unit: Pick<Store, "routines">,
  routine: Routine,
  { state }: RunEnd,
): Promise<Routine> {
  if (state !== "failed" || !routine.enabled) return routine;
  const { routineId, scheduledFrom } = routine;
  const most = isHeartbeat(routine) ? MOST_HEARTBEAT_FAILURES : MOST_FAILURES;
  const last = await unit.routines.runs.of({ routineId, limit: most, isDone: true });
  const failures = last.filter((run) => run.state === "failed" && run.plannedAt > scheduledFrom);
  if (failures.length < most) return routine;
  const disabledReason = `It failed ${most} times in a row`;
  return await unit.routines.change(routineId, { enabled: false, disabledReason });
}
