import type { GatewayMethodResult } from "@openclaw/protocol";
import { call, mayCall, onEvent } from "../../state/link.js";
import { watched } from "../../state/watched.js";

/** Runs of the history. */
const RUNS = 100;

/** A routine with its history. */
export interface RoutinePage {
  readonly routine: GatewayMethodResult<"cron.get">;
  readonly runs: GatewayMethodResult<"cron.runs">["runs"];
  /** Sentences about the last due time and the next one. */
  readonly why: readonly string[];
  /** Heartbeat, when the routine is that. */
  readonly heartbeat: GatewayMethodResult<"heartbeat.status"> | undefined;
}

/** Routines by name. */
export const routines = watched(async () => (await call("cron.list", {})).routines);

let shownName: string | undefined;

/** Routine of the page. */
export const routinePage = watched(async (): Promise<RoutinePage | undefined> => {
  if (shownName === undefined) return undefined;
  const routine = shownName;
  const [details, { runs }, { lines }] = await Promise.all([
    call("cron.get", { routine }),
    call("cron.runs", { routine, limit: RUNS }),
    call("cron.why", { routine }),
  ]);
  const isHeartbeat = details.action === "heartbeat" && mayCall("heartbeat.status");
  const heartbeat = isHeartbeat ? await call("heartbeat.status", {}) : undefined;
  return { routine: details, runs, why: lines, heartbeat };
});

let shownDay: { readonly from: number; readonly to: number } | undefined;

/** Due times of a day. */
export const agenda = watched(async () =>
  shownDay === undefined ? undefined : await call("cron.agenda", shownDay),
);

/**
 * Chooses the routine of the page.
 * @param name - ID of the routine
 */
export function showRoutine(name: string): () => void {
  if (shownName !== name) routinePage.value.value = undefined;
  shownName = name;
  return routinePage.show();
}

/**
 * Chooses the day of the page.
 * @param from - its first millisecond
 * @param to - the first one of the day after
 */
export function showDay(from: number, to: number): () => void {
  shownDay = { from, to };
  agenda.value.value = undefined;
  return agenda.show();
}

/**
 * Enables or disables a routine.
 * @param enabled - true to enable it
 */
export async function switchRoutine(routine: string, enabled: boolean): Promise<void> {
  await changeRoutines(() => call("cron.update", { routine, enabled }));
}

/**
 * Changes routines, and reads what is on the page.
 * @param act - calls the method
 */
export async function changeRoutines<Result>(
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  const shown = shownName === undefined ? routines : routinePage;
  const result = await shown.change(act);
  routines.refresh();
  return result;
}

/** Leaves the page of a routine. */
export function leaveRoutine(): void {
  shownName = undefined;
}

onEvent("cron.changed", ({ payload: { routineId, action } }) => {
  routines.refresh();
  agenda.refresh();
  if (action !== "removed" && routineId === routinePage.value.peek()?.routine.routineId) {
    routinePage.refresh();
  }
});
