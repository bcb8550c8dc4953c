import type { NewRoutineRun, RoutineRun, Store } from "@openclaw/store";

/** Trigger of a run: its origin, its input, and the keys that identify repeats. */
export type TriggeredRun = Pick<NewRoutineRun, "origin" | "input" | "identity" | "proof">;

/**
 * Stores a run that does not come from a schedule. Due times of schedules fall on full seconds; the time of this run does
 * not, so that the two never collide.
 * @param run - its trigger
 * @param now - milliseconds since the epoch
 * @param store - the runs
 * @returns the stored run; the earlier one for a repeat
 */
export async function claimNow(
  routineId: string,
  run: TriggeredRun,
  now: number,
  { routines: { runs } }: Pick<Store, "routines">,
): Promise<RoutineRun> {
  for (let plannedAt = now; ; plannedAt += 1) {
    if (plannedAt % 1000 === 0) continue;
    const claimed = await runs.claim({ ...run, routineId, plannedAt, state: "queued" });
    const stored = claimed ?? (await runs.repeated(routineId, run));
    if (stored !== undefined) return stored;
  }
}
