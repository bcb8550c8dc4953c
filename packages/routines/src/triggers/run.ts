import type { NewRoutineRun, RoutineRun, Store } from "@openclaw/store";

/** What sets off a run. */
export type TriggeredRun = Pick<NewRoutineRun, "origin" | "input" | "identity" | "proof">;

/**
 * Stores a run that no schedule names. Due times of schedules are whole seconds, and its time is not one of them.
 * @param routineId - ID of the routine
 * @param run - what set it off
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
