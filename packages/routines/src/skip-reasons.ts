import type { Routine, RoutineRun } from "@openclaw/store";
import { definitionOf, scheduleOf } from "./definition.js";
import { isQuiet } from "./quiet-hours.js";
import { gapOf } from "./schedules/schedule.js";
import { isKnownZone } from "./schedules/zone.js";
import type { RoutineTickerDependencies } from "./ticker-dependencies.js";

/** Due times of one routine that wait for a run to end. */
const LONGEST_QUEUE = 10;

const HOUR = 3_600_000;
/** Runs that messages or files set off in an hour, after which the routine rests. */
const MOST_PER_HOUR = { event: 12, file: 60 } as const;
/** Earlier inputs that a new one is compared with. */
const MOST_COMPARED = 200;
const CAUSES = { event: "messages", file: "files" } as const;

/** Dependencies of {@link SkipReasons}. */
export interface SkipReasonsDependencies
  extends Pick<RoutineTickerDependencies, "hostReason" | "settings" | "store"> {
  readonly clock: Pick<RoutineTickerDependencies["clock"], "now">;
  readonly runner: Pick<RoutineTickerDependencies["runner"], "activeRun">;
}

/** Reasons for which due times do not run. */
export class SkipReasons {
  readonly #dependencies: SkipReasonsDependencies;

  /** @param dependencies - store, clock, runs and settings */
  constructor(dependencies: SkipReasonsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns why a due time does not run (JOB-028); undefined when it runs or waits.
   * @param routine - its routine
   * @param run - the due time
   * @param waiting - due times of the routine that wait before it
   */
  async reason(routine: Routine, run: RoutineRun, waiting: number): Promise<string | undefined> {
    const { origin, plannedAt, reason } = run;
    const { store, runner, settings } = this.#dependencies;
    const { routineId } = routine;
    if (origin === "schedule" && !routine.enabled) return "disabled";
    const definition = definitionOf(routine);
    const { overlap, cooldownMs } = definition;
    const repeat = await this.#repeatReason(run, definition.dedupMs);
    if (repeat !== undefined) return repeat;
    const active = runner.activeRun(routineId);
    if (active !== undefined) {
      const since = new Date(active.plannedAt).toISOString();
      // One that is caught up waits for the one before it.
      if (overlap === "skip" && reason === undefined)
        return `overlap: the run of ${since} was still going`;
      return waiting < LONGEST_QUEUE ? undefined : `overlap: ${LONGEST_QUEUE} runs wait already`;
    }
    if (origin === "manual") return await this.#dependencies.hostReason(routine, run);
    const loop = await this.#loopReason(run);
    if (loop !== undefined) return loop;
    const schedule = scheduleOf(definition);
    const { quietHours } = definition;
    const { clock } = this.#dependencies;
    if (quietHours !== undefined) {
      const zone = schedule?.timezone ?? settings().timezone;
      if (isKnownZone(zone) && isQuiet(quietHours, clock.now(), zone)) {
        return `quiet hours: ${quietHours.from} to ${quietHours.to} ${zone}`;
      }
    }
    const reasonOfHost = await this.#dependencies.hostReason(routine, run);
    if (reasonOfHost !== undefined) return reasonOfHost;
    const gap = schedule === undefined ? undefined : gapOf(schedule, plannedAt - 1);
    // What the schedule names runs, unless the routine itself asks for a longer rest.
    const standard = Math.min(settings().cooldownMs, (gap ?? Number.POSITIVE_INFINITY) / 2);
    // Each request and each file is another one, so they rest only when the routine asks for it.
    const isEach = origin === "webhook" || origin === "file";
    const rest = cooldownMs ?? (isEach ? 0 : standard);
    if (rest === 0) return undefined;
    const [last] = await store.routines.runs.of({ routineId, limit: 1, isDone: true });
    if (last === undefined || plannedAt - last.plannedAt >= rest) return undefined;
    return `cooldown: the run before was ${Math.round((plannedAt - last.plannedAt) / 1000)} s earlier, and ${Math.round(rest / 1000)} s are the least`;
  }

  /** Detects loops: another gateway that answers the messages of a routine, a run that writes a file which it watches (JOB-492). */
  async #loopReason({ routineId, origin }: RoutineRun): Promise<string | undefined> {
    if (origin !== "event" && origin !== "file") return undefined;
    const { store, clock } = this.#dependencies;
    const most = MOST_PER_HOUR[origin];
    const since = clock.now() - HOUR;
    const done = await store.routines.runs.of({ routineId, limit: most, isDone: true });
    const recent = done.filter((run) => run.origin === origin && run.plannedAt > since);
    if (recent.length < most) return undefined;
    return `loop guard: ${CAUSES[origin]} set it off ${most} times within an hour`;
  }

  /** Detects a request, message or file with the text of an earlier one (JOB-028). */
  async #repeatReason(run: RoutineRun, dedupMs = 0): Promise<string | undefined> {
    const { input, plannedAt, routineId } = run;
    if (input === undefined || dedupMs === 0) return undefined;
    const { store } = this.#dependencies;
    const earlier = await store.routines.runs.of({ routineId, limit: MOST_COMPARED });
    const same = earlier.find(
      (other) =>
        other.plannedAt < plannedAt &&
        other.plannedAt > plannedAt - dedupMs &&
        other.state !== "skipped" &&
        other.input?.text === input.text,
    );
    if (same === undefined) return undefined;
    return `repeat: the same text set it off ${Math.round((plannedAt - same.plannedAt) / 1000)} s earlier, and counts once within ${Math.round(dedupMs / 1000)} s`;
  }
}
