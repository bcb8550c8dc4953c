import type { BackgroundTasks } from "@openclaw/foundation";
import type { JobViewer } from "@openclaw/jobs";
import type { CronService } from "@openclaw/plugin-sdk/hooks";
import type { Routine, RoutineRun } from "@openclaw/store";
import { type AgendaPeriod, agendaOf, type RoutineAgenda } from "./agenda.js";
import { RoutineChanges, type RoutineObservers } from "./changes.js";
import { RoutineResults } from "./delivery.js";
import { RoutineRefusedError } from "./errors.js";
import { HeartbeatChecks, type HeartbeatChecksDependencies } from "./heartbeat/checks.js";
import { isHeartbeat } from "./heartbeat/definition.js";
import { Heartbeat } from "./heartbeat/heartbeat.js";
import { HeartbeatResults, type HeartbeatResultsDependencies } from "./heartbeat/results.js";
import { assertOfUsers, findRoutine } from "./lookup.js";
import { type MoveFolder, withNotes } from "./notes.js";
import { assertName, type RoutineChangeRequest, type RoutineRequest } from "./request.js";
import { RoutineRunner, type RoutineRunnerDependencies } from "./runs/runner.js";
import { readSchedule, type WrittenSchedule } from "./schedules/reader.js";
import { scheduleText, shownTimes } from "./schedules/words.js";
import type { RoutineSettings } from "./settings.js";
import { SharedRoutineChanges } from "./shared-changes.js";
import { stateOf } from "./states.js";
import { storeChange, storeRoutine } from "./stored-changes.js";
import { RoutineTicker } from "./ticker.js";
import type { RoutineClock } from "./ticker-dependencies.js";
import { claimNow } from "./triggers/run.js";
import { RoutineTriggers, type RoutineTriggersDependencies } from "./triggers/triggers.js";
import { cronJob, PREVIEWED, type RoutineState } from "./view.js";

/** Routines of one list. */
const LISTED = 10_000;

/** Dependencies of {@link Routines}. */
export interface RoutinesDependencies
  extends Pick<
      RoutineRunnerDependencies,
      "store" | "messaging" | "jobs" | "logger" | "agentIds" | "readContextFile" | "callTool"
    >,
    RoutineObservers {
  /** Moves a folder in the workspace of an agent. */
  readonly moveFolder: MoveFolder;
  readonly posts: ConstructorParameters<typeof RoutineResults>[0]["posts"];
  readonly clock: RoutineClock;
  /** Background tasks of the host, which the ticker joins. */
  readonly tasks: Pick<BackgroundTasks, "add">;
  /** Read at each use, because a reload changes them. */
  settings(): RoutineSettings;
  readonly triggers: RoutineTriggersDependencies;
  readonly heartbeat: Pick<HeartbeatChecksDependencies, "readFile" | "settings"> &
    Pick<HeartbeatResultsDependencies, "pluginMessages">;
}

/** The routines of a host: work at times that a schedule names. */
export class Routines {
  readonly #dependencies: RoutinesDependencies;
  readonly #changes: RoutineChanges;
  readonly #runner: RoutineRunner;
  readonly #ticker: RoutineTicker;
  readonly #shared: SharedRoutineChanges;
  /** Requests, messages and files that set routines off. */
  readonly triggers: RoutineTriggers;
  /** The heartbeat, a routine of the host. */
  readonly heartbeat: Heartbeat;

  /** @param dependencies - store, queues, jobs, conversations, observers, clock and settings */
  constructor(dependencies: RoutinesDependencies) {
    const { store, messaging, jobs, logger, clock, tasks, posts } = dependencies;
    const changes = new RoutineChanges(dependencies);
    const settings = () => dependencies.settings();
    const now = () => clock.now();
    const { pluginMessages, readFile } = dependencies.heartbeat;
    const ofHeartbeat = { store, now, settings: () => dependencies.heartbeat.settings() };
    const checks = new HeartbeatChecks({
      ...ofHeartbeat,
      live: messaging.live,
      readFile: (agentId) => readFile(agentId),
    });
    const ofUsers = new RoutineResults({ store, posts });
    const ofHost = new HeartbeatResults({ ...ofHeartbeat, posts, pluginMessages, logger });
    const results: Pick<RoutineResults, "deliver"> = {
      deliver: (routine, run) => (isHeartbeat(routine) ? ofHost : ofUsers).deliver(routine, run),
    };
    const runner = new RoutineRunner({
      readContextFile: (...file) => dependencies.readContextFile(...file),
      callTool: (step) => dependencies.callTool(step),
      ...{ store, messaging, jobs, results, changes, logger, now },
      heartbeatTasks: (agentId) => checks.tasks(agentId),
      agentIds: () => dependencies.agentIds(),
      ended: () => void this.#ticker.look(),
    });
    this.#dependencies = dependencies;
    this.#changes = changes;
    this.#runner = runner;
    this.#ticker = new RoutineTicker({
      ...{ store, clock, tasks, logger, runner, results, changes, settings },
      hostReason: async (routine, run) =>
        isHeartbeat(routine) ? await checks.reasonToSkip(routine, run) : undefined,
    });
    this.triggers = new RoutineTriggers({
      ...dependencies.triggers,
      ...{ store, logger, now },
      started: () => this.#ticker.look(),
    });
    this.#shared = new SharedRoutineChanges({
      ...{ store, logger },
      changed: (routine) => this.#place(routine),
      removed: async (routineId) => {
        this.#ticker.removed(routineId);
        await this.triggers.removed(routineId);
      },
    });
    this.heartbeat = new Heartbeat({
      ...ofHeartbeat,
      checks,
      routines: {
        changed: (action, routine) => this.#changed(action, routine),
        state: (routine) => stateOf(routine, store),
        run: async (routine) => await (await this.#start(routine)).finished,
      },
    });
  }

  /** Service that shows the routines to plugins (GW-010). */
  get cron(): CronService {
    return {
      list: async () => (await this.list({ isOperator: true, owner: "" })).map(cronJob),
    };
  }

  /**
   * Reads a schedule, before anything is stored.
   * @param written - the schedule
   * @returns the schedule in words, and its next due times
   * @throws ScheduleInvalidError when it is wrong
   */
  preview(written: WrittenSchedule) {
    const now = this.#dependencies.clock.now();
    const schedule = readSchedule(written, now, this.#dependencies.settings().timezone);
    return { schedule: scheduleText(schedule), next: shownTimes(schedule, now, PREVIEWED) };
  }

  /**
   * Creates a routine.
   * @param request - name, schedule, task, creator and limits
   * @throws ScheduleInvalidError for a schedule that is wrong or missing
   * @throws RoutineRefusedError for a name that is taken, and beyond the bounds
   */
  async add(request: RoutineRequest): Promise<RoutineState> {
    const { store, clock, settings } = this.#dependencies;
    const { timezone, maxPerUser } = settings();
    assertName(request.name);
    const routine = await storeRoutine(request, store, { now: clock.now(), timezone, maxPerUser });
    return await this.#changed("added", routine);
  }

  /**
   * Changes a routine; what is absent stays as it is.
   * @param text - name or ID
   * @param viewer - the operator, or a sender
   * @param request - the changes
   * @throws RoutineNotFoundError, and as {@link Routines.add}
   */
  async update(
    text: string,
    viewer: JobViewer,
    { enabled, ...request }: RoutineChangeRequest & { readonly enabled?: boolean | undefined },
  ): Promise<RoutineState> {
    const { store, clock, settings } = this.#dependencies;
    const found = await findRoutine(text, viewer, store);
    const isMore = Object.values(request).some((part) => part !== undefined);
    if (isMore || enabled !== false) assertOfUsers(found);
    if (request.name !== undefined) assertName(request.name);
    const rules = { now: clock.now(), timezone: settings().timezone };
    const { name } = request;
    if (name !== undefined && name !== found.name) this.#assertIdle(found);
    const { moveFolder } = this.#dependencies;
    const routine = await withNotes(found, name, moveFolder, () =>
      storeChange(found, { enabled, ...request }, store, rules),
    );
    return await this.#changed("updated", routine);
  }

  /**
   * Removes a routine with its history and its conversation, and ends a run of it. Throws as {@link Routines.get}.
   * @param text - name or ID
   * @param viewer - the operator, or a sender
   * @returns the routine as it was
   */
  async remove(text: string, viewer: JobViewer): Promise<RoutineState> {
    const { store } = this.#dependencies;
    const state = await this.get(text, viewer);
    const { routineId } = state.routine;
    assertOfUsers(state.routine);
    await store.routines.remove(routineId);
    this.#ticker.removed(routineId);
    await this.triggers.removed(routineId);
    await this.#runner.discard(state.routine);
    this.#changes.tell("removed", state);
    this.#shared.publish(routineId);
    return state;
  }

  /**
   * Runs a routine now, also a disabled one; its due times stay as they are.
   * @param text - name or ID
   * @param viewer - the operator, or a sender
   * @throws RoutineNotFoundError, and RoutineRefusedError while it runs or the host does not
   */
  async run(
    text: string,
    viewer: JobViewer,
  ): Promise<{ readonly state: RoutineState; readonly run: RoutineRun }> {
    const { store } = this.#dependencies;
    const routine = await findRoutine(text, viewer, store);
    const isOfOtherNode = !this.#ticker.isOpen && this.#shared.areShared;
    const run = isOfOtherNode ? await this.#ask(routine) : (await this.#start(routine)).run;
    const now = await store.routines.runs.get(run);
    return { state: await stateOf(routine, store), run: now ?? run };
  }

  /** A run that is going knows its notes by the name of the routine. */
  #assertIdle({ routineId }: Routine): void {
    if (this.#runner.activeRun(routineId) === undefined) return;
    throw new RoutineRefusedError("it runs now; rename it after the end of that run");
  }

  /** Lets the node that runs the routines begin a run. */
  async #ask({ routineId }: Routine): Promise<RoutineRun> {
    const { store, clock } = this.#dependencies;
    const run = await claimNow(routineId, { origin: "manual" }, clock.now(), store);
    this.#shared.publish(routineId);
    return run;
  }

  async #start(routine: Routine) {
    const { store, clock } = this.#dependencies;
    const { routineId } = routine;
    if (!this.#ticker.isOpen) {
      throw new RoutineRefusedError("only a running gateway can run it; start one, `openclaw run`");
    }
    if (this.#runner.activeRun(routineId) !== undefined) {
      throw new RoutineRefusedError("it runs already; wait for the end of that run");
    }
    const run = await claimNow(routineId, { origin: "manual" }, clock.now(), store);
    const finished = this.#changes.finished(run);
    await this.#ticker.look();
    return { run, finished };
  }

  /**
   * Returns a routine that a viewer may see.
   * @param text - its name, its ID, or the beginning of the ID
   * @param viewer - the operator, or a sender
   * @throws RoutineNotFoundError also for a routine of another user
   */
  async get(text: string, viewer: JobViewer): Promise<RoutineState> {
    const { store } = this.#dependencies;
    return await stateOf(await findRoutine(text, viewer, store), store);
  }

  /**
   * Returns the routines that a viewer may see, by name.
   * @param viewer - the operator, or a sender
   */
  async list(viewer: JobViewer): Promise<readonly RoutineState[]> {
    const { store } = this.#dependencies;
    const owner = viewer.isOperator ? undefined : viewer.owner;
    const states: RoutineState[] = [];
    for (const routine of await store.routines.list({ owner, limit: LISTED })) {
      states.push(await stateOf(routine, store));
    }
    return states;
  }

  /**
   * Returns the due times of a routine, newest first. Throws as {@link Routines.get}.
   * @param text - name or ID
   * @param viewer - the operator, or a sender
   * @param limit - maximum number
   */
  async runs(
    text: string,
    viewer: JobViewer,
    limit: number,
  ): Promise<{ readonly state: RoutineState; readonly runs: readonly RoutineRun[] }> {
    const state = await this.get(text, viewer);
    const { routineId } = state.routine;
    return { state, runs: await this.#dependencies.store.routines.runs.of({ routineId, limit }) };
  }

  /** Returns the due times of the routines that a viewer may see, oldest first. */
  async agenda(viewer: JobViewer, period: AgendaPeriod): Promise<RoutineAgenda> {
    return await agendaOf(await this.list(viewer), period, this.#dependencies.store);
  }

  /** Takes up what an earlier process left, once its turns are in their queues, and waits for due times. */
  async recover(): Promise<void> {
    await this.heartbeat.configured();
    this.#shared.open();
    await this.#ticker.open();
    await this.triggers.open();
  }

  /** Starts nothing more until {@link Routines.recover}; another node does. */
  pause(): void {
    this.#shared.close();
    this.#ticker.close();
  }

  /** Starts nothing more, and follows no run; the next process continues. */
  close(): void {
    this.#shared.close();
    this.#ticker.close();
    this.#runner.close();
    this.#changes.close();
    this.triggers.close();
  }

  async #changed(action: "added" | "updated", routine: Routine): Promise<RoutineState> {
    const state = await stateOf(routine, this.#dependencies.store);
    this.#changes.tell(action, state);
    if (routine.enabled && state.nextAt !== undefined) this.#changes.tell("scheduled", state);
    await this.#place(routine);
    this.#shared.publish(routine.routineId);
    return state;
  }

  async #place(routine: Routine): Promise<void> {
    await this.#ticker.changed(routine);
    await this.triggers.place(routine);
  }
}
