import { errorMessage } from "@openclaw/foundation";
import type { Routine } from "@openclaw/store";
import { definitionOf, scheduleOf } from "./definition.js";
import { isKnownZone } from "./schedules/zone.js";

/** Why a stored routine cannot come due. */
export interface ScheduleProblem {
  /** Problem and next step, for the run that is recorded. */
  readonly reason: string;
  readonly disabledReason: string;
}

/**
 * Returns why a stored routine cannot come due: its zone disappeared, or another version of the product stored it.
 * @param routine - the routine
 * @returns undefined when it can
 */
export function scheduleProblem(routine: Routine): ScheduleProblem | undefined {
  const { name } = routine;
  try {
    const schedule = scheduleOf(definitionOf(routine));
    if (schedule === undefined || isKnownZone(schedule.timezone)) return undefined;
    const { timezone } = schedule;
    return {
      reason: `the time zone ${timezone} is no longer known; \`openclaw cron edit ${name} --tz <zone>\` sets another`,
      disabledReason: `Its time zone ${timezone} is no longer known`,
    };
  } catch (error) {
    return { reason: errorMessage(error), disabledReason: "This version cannot read it" };
  }
}
