import { errorMessage, Mutex, type TaskSchedule } from "@openclaw/foundation";
import type { Routine, RoutineRun } from "@openclaw/store";
import { definitionOf, scheduleOf } from "./definition.js";
import { dueTimes } from "./due.js";
import { DueIndex } from "./due-index.js";
import { type ScheduleProblem, scheduleProblem } from "./schedule-problem.js";
import { SkipReasons } from "./skip-reasons.js";
import { nextDue, plannedUntil, stateOf } from "./states.js";
import type { RoutineTickerDependencies } from "./ticker-dependencies.js";

/** Time over which the due times are spread that passed while no gateway ran. */
const SPREAD_MS = 120_000;
/** Wait before a due time is claimed again that could not be claimed. */
const RETRY_MS = 1000;

/**
 * Claims the due times of routines and starts their runs. A timer waits for the next due time, and looks at the clock in
 * between, because a machine sleeps and clocks are set (JOB-026).
 */
export class RoutineTicker {
  readonly #dependencies: RoutineTickerDependencies;
  /** Next due times, derived from what is stored. */
  readonly #next = new DueIndex();
  readonly #order = new Mutex();
  readonly #skips: SkipReasons;
  readonly #task: TaskSchedule;
  #openedAt: number | undefined;
  /** True while a run waits, is running, or is not delivered. */
  #hasUnsettled = true;

  /** @param dependencies - store, clock, runner, delivery and settings */
  constructor(dependencies: RoutineTickerDependencies) {
    const { tasks, settings } = dependencies;
    this.#dependencies = dependencies;
    this.#skips = new SkipReasons(dependencies);
    const intervalMs = () => settings().checkMs;
    this.#task = tasks.add({ name: "routines", intervalMs, run: () => this.look() });
  }

  /** True between the start and the end of the host. */
  get isOpen(): boolean {
    return this.#openedAt !== undefined;
  }

  /** Takes up what an earlier process left, and waits for due times. */
  async open(): Promise<void> {
    const { store, clock, settings } = this.#dependencies;
    const openedAt = clock.now();
    await this.#order.run(async () => {
      for (const routine of await store.routines.enabled()) await this.#place(routine);
      const overdue = this.#next.due(openedAt);
      if (overdue.length > settings().maxConcurrent) {
        for (const { routineId } of overdue) this.#next.set(routineId, spread(routineId, openedAt));
      }
      this.#openedAt = openedAt;
      await this.#takeUp();
    });
    await this.look();
  }

  /** Starts nothing more. */
  close(): void {
    this.#openedAt = undefined;
    this.#task.cancel();
  }

  /**
   * Derives the next due time of a routine again, after it was added or changed.
   * @param routine - the routine as it is now
   */
  async changed(routine: Routine): Promise<void> {
    if (!this.isOpen) return;
    await this.#order.run(() => this.#place(routine));
    await this.look();
  }

  /**
   * Forgets a routine that was removed.
   * @param routineId - ID of the routine
   */
  removed(routineId: string): void {
    this.#next.delete(routineId);
  }

  /** Claims what is due, starts what waits, and delivers what is left. */
  async look(): Promise<void> {
    if (!this.isOpen) return;
    await this.#order.run(async () => {
      const now = this.#dependencies.clock.now();
      for (const { routineId } of this.#next.due(now)) {
        await this.#logged(this.#claim(routineId, now));
      }
      await this.#logged(this.#dependencies.runner.storeEnds());
      await this.#logged(this.#startQueued());
    });
    this.#arm();
  }

  async #place(routine: Routine): Promise<void> {
    const { store } = this.#dependencies;
    const { routineId, enabled } = routine;
    this.#next.delete(routineId);
    if (!enabled) return;
    const problem = scheduleProblem(routine);
    if (problem !== undefined) return await this.#disable(routine, problem);
    const next = nextDue(routine, await plannedUntil(routine, store));
    if (next !== undefined) this.#next.set(routineId, next);
  }

  /** Disables a routine that cannot come due, and records it as a failure, of which the conversation that asked is told. */
  async #disable(
    { routineId }: Routine,
    { reason, disabledReason }: ScheduleProblem,
  ): Promise<void> {
    const { store, clock, changes } = this.#dependencies;
    const disabled = await store.transaction(async (unit) => {
      // Due times fall on full seconds, and this is none.
      const plannedAt = Math.floor(clock.now() / 1000) * 1000 + 1;
      const origin = "schedule";
      await unit.routines.runs.claim({ routineId, plannedAt, origin, state: "failed", reason });
      return await unit.routines.change(routineId, { enabled: false, disabledReason });
    });
    this.#hasUnsettled = true;
    changes.tell("updated", await stateOf(disabled, store));
  }

  async #claim(routineId: string, now: number): Promise<void> {
    const { store, settings } = this.#dependencies;
    const { graceMs } = settings();
    const routine = await store.transaction(async (unit) => {
      const current = await unit.routines.get(routineId);
      if (current?.enabled !== true) return undefined;
      const definition = definitionOf(current);
      const schedule = scheduleOf(definition);
      if (schedule === undefined) return undefined;
      const after = await plannedUntil(current, unit);
      const rules = { now, graceMs, catchUp: definition.catchUp };
      for (const due of dueTimes(schedule, after, rules)) {
        await unit.routines.runs.claim({ routineId, origin: "schedule", ...due });
      }
      return current;
    });
    if (routine === undefined) this.removed(routineId);
    else await this.#place(routine);
  }

  async #startQueued(): Promise<void> {
    const { store, runner, settings, results } = this.#dependencies;
    const queued = new Map<string, number>();
    this.#hasUnsettled = true;
    const unsettled = await store.routines.runs.unsettled();
    this.#hasUnsettled = unsettled.length > 0;
    for (const run of unsettled) {
      if (!this.isOpen) return;
      const routine = await store.routines.get(run.routineId);
      if (routine === undefined) continue;
      if (run.state === "running") {
        // Its turn ended without this process noticing, for example because the end was stored late.
        if (runner.activeRun(run.routineId) === undefined) await runner.takeUp(routine, run);
        continue;
      }
      if (run.state !== "queued") {
        if (runner.activeRun(run.routineId) === undefined) await results.deliver(routine, run);
        continue;
      }
      const waiting = queued.get(run.routineId) ?? 0;
      const isActive = () => runner.activeRun(run.routineId) !== undefined;
      // Due times run in their order, also when the run for which the first of them waited has ended meanwhile.
      if (waiting > 0 && !isActive()) {
        queued.set(run.routineId, waiting + 1);
        continue;
      }
      const skipped = await this.#skips.reason(routine, run, waiting);
      if (skipped !== undefined) {
        await this.#skip(routine, run, skipped);
        continue;
      }
      // One that is caught up waits for the one before it.
      if (definitionOf(routine).overlap === "cancel-other" && run.reason === undefined) {
        const since = new Date(run.plannedAt).toISOString();
        await runner.replace(routine, `overlap: the run of ${since} took its place`);
      }
      if (!isActive() && runner.size < settings().maxConcurrent) await runner.begin(routine, run);
      else queued.set(run.routineId, waiting + 1);
    }
  }

  async #skip(routine: Routine, run: RoutineRun, reason: string): Promise<void> {
    const { store, changes } = this.#dependencies;
    const ended = await store.routines.runs.end(run, { state: "skipped", reason });
    if (ended !== undefined) changes.tell("finished", await stateOf(routine, store), ended);
  }

  async #takeUp(): Promise<void> {
    const { store, runner } = this.#dependencies;
    for (const run of await store.routines.runs.unsettled()) {
      if (run.state !== "running") continue;
      const routine = await store.routines.get(run.routineId);
      if (routine !== undefined) await this.#logged(runner.takeUp(routine, run));
    }
  }

  #arm(): void {
    const { clock, settings } = this.#dependencies;
    this.#task.cancel();
    if (!this.isOpen) return;
    // Whatever begins later looks again.
    if (this.#next.size === 0 && !this.#hasUnsettled) return;
    const now = clock.now();
    const soonest = Math.min(now + settings().checkMs, this.#next.soonest);
    // A time that is still due could not be claimed, for example because the disk is full.
    const wait = soonest > now ? soonest - now : RETRY_MS;
    this.#task.in(wait);
  }

  async #logged(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#dependencies.logger.error(`the routines could not continue: ${errorMessage(error)}`),
    );
  }
}

/** Due times that passed while no gateway ran do not all begin at once, when they are many. */
function spread(routineId: string, openedAt: number): number {
  const share = Number.parseInt(routineId.slice(0, 4), 16) / 0xff_ff;
  return openedAt + Math.floor(share * SPREAD_MS);
}
