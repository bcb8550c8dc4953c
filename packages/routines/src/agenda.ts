import type { GatewayMethodResult } from "@openclaw/protocol";
import type { RoutineRun, Store } from "@openclaw/store";
import { scheduleOf, shownDefinition } from "./definition.js";
import { isQuiet } from "./quiet-hours.js";
import { nextTime } from "./schedules/schedule.js";
import { isKnownZone } from "./schedules/zone.js";
import { type RoutineState, runSummary } from "./view.js";

/** Due times of one answer. */
const MOST = 1000;

/** Period of due times, in milliseconds since the epoch; its end is exclusive. */
export interface AgendaPeriod {
  readonly from: number;
  readonly to: number;
}

/** Due times of a period. */
export type RoutineAgenda = GatewayMethodResult<"cron.agenda">;

type Entry = RoutineAgenda["entries"][number];

/**
 * Returns the due times of routines in a period, oldest first.
 * @param states - the routines
 * @param period - the period
 * @param store - their due times
 */
export async function agendaOf(
  states: readonly RoutineState[],
  period: AgendaPeriod,
  { routines }: Pick<Store, "routines">,
): Promise<RoutineAgenda> {
  const entries: Entry[] = [];
  for (const state of states) {
    const { routineId } = state.routine;
    // The newest ones would be of no use when they are cut.
    const runs = await routines.runs.of({ routineId, limit: MOST + 1, ...period });
    entries.push(...runs.map((run) => pastEntry(state, run)), ...comingEntries(state, period));
  }
  entries.sort((one, other) => one.at - other.at || one.name.localeCompare(other.name));
  return { entries: entries.slice(0, MOST), isCut: entries.length > MOST };
}

function pastEntry({ routine }: RoutineState, run: RoutineRun): Entry {
  const { routineId, name, agentId } = routine;
  return { routineId, name, agentId, at: run.plannedAt, run: runSummary(run) };
}

/** Returns the due times that are not stored, because they are to come. */
function comingEntries({ routine, after }: RoutineState, { from, to }: AgendaPeriod): Entry[] {
  const { routineId, name, agentId, enabled } = routine;
  const definition = shownDefinition(routine);
  const schedule = scheduleOf(definition);
  if (!enabled || schedule === undefined || !isKnownZone(schedule.timezone)) return [];
  const { quietHours } = definition;
  const quiet = quietHours === undefined ? "" : `${quietHours.from} to ${quietHours.to}`;
  const entries: Entry[] = [];
  let at = nextTime(schedule, Math.max(after, from - 1));
  while (at !== undefined && at < to && entries.length <= MOST) {
    const isSkipped = quietHours !== undefined && isQuiet(quietHours, at, schedule.timezone);
    entries.push({
      ...{ routineId, name, agentId, at },
      ...(isSkipped ? { quietHours: quiet } : {}),
    });
    at = nextTime(schedule, at);
  }
  return entries;
}
