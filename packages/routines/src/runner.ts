import { errorMessage } from "@openclaw/foundation";
import type { Jobs } from "@openclaw/jobs";
import type { Messaging } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Routine, RoutineRun, RoutineRunKey, Store } from "@openclaw/store";
import type { RoutineChanges } from "./changes.js";
import { contextText, type ReadContextFile } from "./context.js";
import { definitionOf, type RoutineDefinition } from "./definition.js";
import type { RoutineResults } from "./delivery.js";
import { lateness } from "./due.js";
import { RoutineRefusedError } from "./errors.js";
import { disabledIfFailing } from "./failures.js";
import { stateOf } from "./states.js";
import { creatorOf, heartbeatMessage, instructionsOf, messageOf } from "./task.js";
import { taskText } from "./triggers/input.js";
import { jobEnd, type RunEnd, turnEnd } from "./verdict.js";

const UNFINISHED_JOB = ["pending", "in_progress", "stuck"];

/** Dependencies of {@link RoutineRunner}. */
export interface RoutineRunnerDependencies {
  readonly store: Store;
  readonly messaging: Pick<Messaging, "hostTurns" | "turnQueues" | "administration">;
  readonly jobs: Pick<Jobs, "cancel" | "create" | "ended">;
  readonly results: Pick<RoutineResults, "deliver">;
  readonly changes: Pick<RoutineChanges, "tell">;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Agents of the configuration. */
  agentIds(): readonly string[];
  /**
   * Returns the tasks of a heartbeat.
   * @param agentId - its agent
   */
  heartbeatTasks(agentId: string): Promise<string>;
  readonly readContextFile: ReadContextFile;
  /** Called when a run has ended, and its place is free. */
  ended(): void;
}

/** A run on which this process works. */
interface ActiveRun {
  readonly run: RoutineRun;
  readonly routine: Routine;
  runId: string | undefined;
}

/** Does the runs of routines, and stores how they end. */
export class RoutineRunner {
  readonly #dependencies: RoutineRunnerDependencies;
  /** By routine, each of which has at most one run at a time (JOB-028). */
  readonly #active = new Map<string, ActiveRun>();
  readonly #closing = new AbortController();

  /** @param dependencies - store, queues, jobs, delivery, events and agents */
  constructor(dependencies: RoutineRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Number of runs on which this process works. */
  get size(): number {
    return this.#active.size;
  }

  /**
   * Returns the run of a routine on which this process works.
   * @param routineId - ID of the routine
   */
  activeRun(routineId: string): RoutineRun | undefined {
    return this.#active.get(routineId)?.run;
  }

  /**
   * Begins a run. One that cannot begin is stored as failed.
   * @param routine - the routine
   * @param run - a due time in the state `queued`
   */
  async begin(routine: Routine, run: RoutineRun): Promise<void> {
    const active: ActiveRun = { run, routine, runId: undefined };
    this.#active.set(routine.routineId, active);
    try {
      const { agentId, name } = routine;
      if (!this.#dependencies.agentIds().includes(agentId)) {
        const reason = `its agent "${agentId}" no longer exists; add it to the configuration, or remove the routine with \`openclaw cron rm ${name}\``;
        return await this.#end(active, { state: "failed", reason });
      }
      const { action } = definitionOf(routine);
      if (action.kind === "full_job") await this.#beginJob(active, action);
      else await this.#beginTurn(active, action);
    } catch (error) {
      await this.#end(active, { state: "failed", reason: errorMessage(error) });
    }
  }

  /**
   * Takes up a run that an earlier process left (JOB-029): its turn or job is followed if it continues, and otherwise the
   * run is settled.
   * @param routine - the routine
   * @param run - a due time in the state `running`
   */
  async takeUp(routine: Routine, run: RoutineRun): Promise<void> {
    const active: ActiveRun = { run, routine, runId: run.runId };
    this.#active.set(routine.routineId, active);
    if (run.jobId !== undefined) return this.#followJob(active, run.jobId);
    const { turnQueues } = this.#dependencies.messaging;
    const queued = turnQueues.of(routine.sessionKey).find(({ turn }) => turn.runId === run.runId);
    if (queued !== undefined) this.#followTurn(active, queued.outcome);
    else await this.#settleTurn(active);
  }

  /**
   * Ends the turn of a routine that was removed, and deletes its conversation: at once, or after the turn, which can be
   * the one that removes the routine.
   * @param routine - the removed routine
   */
  async discard({ routineId, sessionKey }: Routine): Promise<void> {
    const { turnQueues } = this.#dependencies.messaging;
    const runId = this.#active.get(routineId)?.runId;
    this.#active.delete(routineId);
    const turns = turnQueues.of(sessionKey);
    if (runId !== undefined) turnQueues.cancel(sessionKey, runId);
    if (turns.length === 0) return await this.#removeConversation(sessionKey);
    const ended = Promise.allSettled(turns.map(({ outcome }) => outcome));
    this.#logged(ended.then(() => this.#removeConversation(sessionKey)));
  }

  /**
   * Ends the run of a routine, for a later due time that takes its place (JOB-028).
   * @param routine - the routine
   * @param reason - reason that is recorded
   */
  async replace(routine: Routine, reason: string): Promise<void> {
    const { store, jobs, changes, messaging } = this.#dependencies;
    const { turnQueues } = messaging;
    const active = this.#active.get(routine.routineId);
    if (active === undefined) return;
    this.#active.delete(routine.routineId);
    const ended = await store.routines.runs.end(active.run, { state: "skipped", reason });
    if (active.runId !== undefined) turnQueues.cancel(routine.sessionKey, active.runId);
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
  }

  async #beginTurn(active: ActiveRun, action: RoutineDefinition["action"]): Promise<void> {
    const { store, messaging, now } = this.#dependencies;
    const { routine, run } = active;
    const { sessionKey, agentId, name } = routine;
    const isBeat = action.kind === "heartbeat";
    const message = isBeat
      ? heartbeatMessage(routine, action, await this.#dependencies.heartbeatTasks(agentId))
      : messageOf(
          routine,
          action,
          { ...run, files: await this.#filesOf(routine, action) },
          lateness(run.plannedAt, now()),
        );
    const trigger = isBeat ? "heartbeat" : "cron";
    const turn = { sessionKey, agentId, trigger, message, label: name } as const;
    const stored = await store.transaction(async (unit) => {
      const inQueue = await messaging.hostTurns.store(unit, { ...turn, model: action.model });
      await requireStart(unit, run, { runId: inQueue.turn.runId });
      return inQueue;
    });
    active.runId = stored.turn.runId;
    const start = { depth: 1, startedAt: performance.now() };
    const queued = messaging.hostTurns.start(stored, message, start, {});
    this.#followTurn(active, queued.outcome);
    await this.#tell("started", active);
  }

  #filesOf(routine: Routine, action: RoutineDefinition["action"]): Promise<string> {
    return contextText(routine, action, (...file) => this.#dependencies.readContextFile(...file));
  }

  async #beginJob(active: ActiveRun, action: RoutineDefinition["action"]): Promise<void> {
    const { store, jobs, now } = this.#dependencies;
    const { kind, prompt, model } = action;
    const { routine, run } = active;
    const { routineId, name, agentId } = routine;
    const files = await this.#filesOf(routine, action);
    const instructions = instructionsOf(routine, kind, lateness(run.plannedAt, now()));
    const job = await jobs.create({
      ...{ title: name, agentId, creator: creatorOf(routine), model },
      description: `${taskText(prompt, run)}${files}\n\n${instructions}`,
      // A repeat after a crash finds the job.
      identity: JSON.stringify(["routine", routineId, run.plannedAt]),
    });
    await requireStart(store, run, { jobId: job.jobId });
    this.#followJob(active, job.jobId);
    await this.#tell("started", active);
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
    if (this.#active.get(routineId) !== active || this.#closing.signal.aborted) return;
    const stored = await store.transaction(async (unit) => {
      const run = await unit.routines.runs.end(active.run, end);
      if (end.isBlocked === true) await unit.routines.runs.withhold(active.run);
      const routine = await unit.routines.get(routineId);
      if (run === undefined || routine === undefined) return undefined;
      return { run, routine: await disabledIfFailing(unit, routine, end) };
    });
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

/** Marks a due time as running, in the transaction that stores its work. */
async function requireStart(
  unit: Pick<Store, "routines">,
  key: RoutineRunKey,
  work: Pick<RoutineRun, "runId" | "jobId">,
): Promise<void> {
  if (await unit.routines.runs.start(key, work)) return;
  throw new RoutineRefusedError("it was removed, or its run has ended already");
}
