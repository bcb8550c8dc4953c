import { errorMessage } from "@openclaw/foundation";
import type { Jobs } from "@openclaw/jobs";
import type { Messaging } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Routine, RoutineRun } from "@openclaw/store";
import { StoreUnavailableError } from "@openclaw/store/errors";
import type { RoutineChanges } from "../changes.js";
import type { RoutineResults } from "../delivery.js";
import { disabledIfFailing } from "../failures.js";
import { stateOf } from "../states.js";
import { type RunStartDependencies, type StartedRun, startRun } from "./start.js";
import { jobEnd, type RunEnd, turnEnd } from "./verdict.js";

const UNFINISHED_JOB = ["pending", "in_progress", "stuck"];

/** Dependencies of {@link RoutineRunner}. */
export interface RoutineRunnerDependencies extends RunStartDependencies {
  readonly messaging: Pick<Messaging, "hostTurns" | "live" | "administration">;
  readonly jobs: Pick<Jobs, "cancel" | "create" | "ended">;
  readonly results: Pick<RoutineResults, "deliver">;
  readonly changes: Pick<RoutineChanges, "tell">;
  readonly logger: Logger;
  /** Agents of the configuration. */
  agentIds(): readonly string[];
  /** Called when a run has ended, and its place is free. */
  ended(): void;
}

/** A run on which this process works. */
interface ActiveRun {
  readonly run: RoutineRun;
  readonly routine: Routine;
  /** Stops its tool call. */
  readonly stop: AbortController;
  runId: string | undefined;
}

/** Does the runs of routines, and stores how they end. */
export class RoutineRunner {
  readonly #dependencies: RoutineRunnerDependencies;
  /** By routine, each of which has at most one run at a time (JOB-028). */
  readonly #active = new Map<string, ActiveRun>();
  /** Ends that could not be stored, for example because the disk is full; by run. */
  readonly #unstored = new Map<ActiveRun, RunEnd>();
  readonly #closing = new AbortController();

  /** @param dependencies - store, queues, jobs, delivery, events and agents */
  constructor(dependencies: RoutineRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Number of runs on which this process works. */
  get size(): number {
    return this.#active.size;
  }

  /** Returns the run of a routine on which this process works. */
  activeRun(routineId: string): RoutineRun | undefined {
    return this.#active.get(routineId)?.run;
  }

  /**
   * Begins a run. One that cannot begin is stored as failed; one that cannot be stored stays queued.
   * @param run - a due time in the state `queued`
   * @throws StoreUnavailableError when nothing can be stored
   */
  async begin(routine: Routine, run: RoutineRun): Promise<void> {
    const active = activeRun(routine, run);
    this.#active.set(routine.routineId, active);
    const { agentId, name } = routine;
    if (!this.#dependencies.agentIds().includes(agentId)) {
      const reason = `its agent "${agentId}" no longer exists; add it to the configuration, or remove the routine with \`openclaw cron rm ${name}\``;
      return await this.#end(active, { state: "failed", reason });
    }
    let work: StartedRun;
    try {
      work = await startRun(routine, run, this.#dependencies, active.stop.signal);
    } catch (error) {
      if (StoreUnavailableError.isInstance(error)) {
        this.#active.delete(routine.routineId);
        throw error;
      }
      return await this.#end(active, { state: "failed", reason: errorMessage(error) });
    }
    if (work.kind === "turn") {
      active.runId = work.runId;
      this.#followTurn(active, work.outcome);
    } else if (work.kind === "job") this.#followJob(active, work.jobId);
    else this.#logged(work.end.then((end) => this.#end(active, end)));
    await this.#tell("started", active);
  }

  /**
   * Takes up a run on which this process does not work (JOB-029): its turn or job is followed if it continues, and
   * otherwise the run is settled.
   * @param run - a due time in the state `running`
   */
  async takeUp(routine: Routine, run: RoutineRun): Promise<void> {
    const active = activeRun(routine, run);
    this.#active.set(routine.routineId, active);
    if (run.jobId !== undefined) return this.#followJob(active, run.jobId);
    const { live } = this.#dependencies.messaging;
    const queued = live.turns(routine.sessionKey).find(({ turn }) => turn.runId === run.runId);
    if (queued !== undefined) this.#followTurn(active, queued.outcome);
    else await this.#settleTurn(active);
  }

  /** Stores the ends that could not be stored before. */
  async storeEnds(): Promise<void> {
    for (const [active, end] of this.#unstored) await this.#end(active, end);
  }

  /**
   * Ends the turn of a routine that was removed, and deletes its conversation: at once, or after the turn, which can be
   * the one that removes the routine.
   * @param routine - the removed routine
   */
  async discard({ routineId, sessionKey }: Routine): Promise<void> {
    const { live } = this.#dependencies.messaging;
    const active = this.#active.get(routineId);
    const runId = active?.runId;
    this.#active.delete(routineId);
    active?.stop.abort(new Error("its routine was removed"));
    const turns = live.turns(sessionKey);
    if (runId !== undefined) live.cancel(sessionKey, runId);
    if (turns.length === 0) return await this.#removeConversation(sessionKey);
    const ended = Promise.allSettled(turns.map(({ outcome }) => outcome));
    this.#logged(ended.then(() => this.#removeConversation(sessionKey)));
  }

  /**
   * Ends the run of a routine, for a later due time that takes its place (JOB-028).
   * @param reason - reason that is recorded
   */
  async replace(routine: Routine, reason: string): Promise<void> {
    const { store, jobs, changes, messaging } = this.#dependencies;
    const { live } = messaging;
    const active = this.#active.get(routine.routineId);
    if (active === undefined) return;
    this.#active.delete(routine.routineId);
    const ended = await store.routines.runs.end(active.run, { state: "skipped", reason });
    active.stop.abort(new Error(reason));
    if (active.runId !== undefined) live.cancel(routine.sessionKey, active.runId);
    const job = ended?.jobId === undefined ? undefined : await store.jobs.get(ended.jobId);
    if (job !== undefined && UNFINISHED_JOB.includes(job.state)) {
      await jobs.cancel(job.jobId, { isOperator: true, owner: "" });
    }
    if (ended !== undefined) changes.tell("finished", await stateOf(routine, store), ended);
  }

  /** Follows nothing more; turns are suspended with the host, and the next process takes the runs up. */
  close(): void {
    this.#closing.abort(new Error("the host stops"));
    this.#active.clear();
    this.#unstored.clear();
  }

  #followTurn(active: ActiveRun, outcome: Promise<unknown>): void {
    const settle = () => this.#logged(this.#settleTurn(active));
    outcome.then(settle, settle);
  }

  #followJob(active: ActiveRun, jobId: string): void {
    const { jobs, store } = this.#dependencies;
    const { signal } = this.#closing;
    const settle = async () => {
      const stored = await store.jobs.get(jobId);
      const isUnfinished = stored !== undefined && UNFINISHED_JOB.includes(stored.state);
      const job = isUnfinished ? await jobs.ended(jobId, signal) : stored;
      await this.#end(active, jobEnd(job, active.run));
    };
    this.#logged(settle());
  }

  async #settleTurn(active: ActiveRun): Promise<void> {
    const { store } = this.#dependencies;
    const { routineId } = active.routine;
    const { runId } = active;
    const turn = runId === undefined ? undefined : await store.turns.get(runId);
    // A turn that was only suspended continues with the next process.
    if (turn !== undefined && turn.endedAt === undefined) {
      this.#active.delete(routineId);
      return;
    }
    const run = (await store.routines.runs.get(active.run)) ?? active.run;
    await this.#end(active, turnEnd(turn, run));
  }

  async #end(active: ActiveRun, end: RunEnd): Promise<void> {
    const { store, results, changes, ended } = this.#dependencies;
    const { routineId } = active.routine;
    this.#unstored.delete(active);
    if (this.#active.get(routineId) !== active || this.#closing.signal.aborted) return;
    // Until its end is stored, the run keeps its place.
    this.#unstored.set(active, end);
    const stored = await store.transaction(async (unit) => {
      const run = await unit.routines.runs.end(active.run, end);
      if (end.isBlocked === true) await unit.routines.runs.eraseText(active.run);
      const routine = await unit.routines.get(routineId);
      if (run === undefined || routine === undefined) return undefined;
      return { run, routine: await disabledIfFailing(unit, routine, end) };
    });
    this.#unstored.delete(active);
    this.#active.delete(routineId);
    if (stored !== undefined) {
      const { run, routine } = stored;
      const delivery = await results.deliver(routine, run);
      const state = await stateOf(routine, store);
      changes.tell("finished", state, { ...run, delivery });
      if (active.routine.enabled && !routine.enabled) changes.tell("updated", state);
      else if (state.nextAt !== undefined) changes.tell("scheduled", state);
    }
    ended();
  }

  async #tell(action: "started", { routine, run }: ActiveRun): Promise<void> {
    const { store, changes } = this.#dependencies;
    const now = await store.routines.runs.get(run);
    changes.tell(action, await stateOf(routine, store), now ?? run);
  }

  async #removeConversation(sessionKey: string): Promise<void> {
    const { store, messaging } = this.#dependencies;
    if (this.#closing.signal.aborted || (await store.sessions.get(sessionKey)) === undefined)
      return;
    await messaging.administration.remove(sessionKey);
  }

  #logged(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (this.#closing.signal.aborted) return;
      this.#dependencies.logger.error(`a routine could not be followed: ${errorMessage(error)}`);
    });
  }
}

function activeRun(routine: Routine, run: RoutineRun): ActiveRun {
  return { run, routine, stop: new AbortController(), runId: run.runId };
}
