import { randomUUID } from "node:crypto";
import { writeCreator } from "@openclaw/jobs";
import { mainSessionKey, routineSessionKey } from "@openclaw/messaging";
import type { Routine, RoutineRun, Store } from "@openclaw/store";
import { definitionOf, writeDefinition } from "../definition.js";
import type { RoutineState } from "../view.js";
import type { HeartbeatChecks } from "./checks.js";
import { HEARTBEAT, HOST_OWNER, heartbeatCreator, heartbeatDefinition } from "./definition.js";
import type { HeartbeatSettings } from "./settings.js";

const OFF = "heartbeat.enabled is false";

/** Functions of the routines that the heartbeat uses. */
export interface HeartbeatRoutines {
  /** Tells of a routine that was added or changed, and derives its next due time. */
  changed(action: "added" | "updated", routine: Routine): Promise<RoutineState>;
  state(routine: Routine): Promise<RoutineState>;
  /** Starts a run now; resolves with its end, undefined when the host stops before. */
  run(routine: Routine): Promise<RoutineRun | undefined>;
}

/** Dependencies of {@link Heartbeat}. */
export interface HeartbeatDependencies {
  readonly store: Store;
  readonly routines: HeartbeatRoutines;
  readonly checks: Pick<HeartbeatChecks, "reasonToSkip">;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Read at each use, because a reload changes them. */
  settings(): HeartbeatSettings;
}

/** The heartbeat: a routine of the host, whose schedule is in the configuration. */
export class Heartbeat {
  readonly #dependencies: HeartbeatDependencies;

  /** @param dependencies - store, routines, clock and settings */
  constructor(dependencies: HeartbeatDependencies) {
    this.#dependencies = dependencies;
  }

  /** Settings in force. */
  get settings(): HeartbeatSettings {
    return this.#dependencies.settings();
  }

  /** Returns why a heartbeat that was due now would call no model; undefined when it would. */
  async waits(): Promise<string | undefined> {
    const { checks } = this.#dependencies;
    const { agentId } = this.settings;
    const scheduledFrom = (await this.#find())?.scheduledFrom ?? this.#dependencies.now();
    return await checks.reasonToSkip({ agentId, scheduledFrom }, { origin: "schedule" });
  }

  /** Brings the routine in line with the configuration, at the start and after a change. */
  async configured(): Promise<void> {
    const { settings, routines } = this.#dependencies;
    const before = await this.#find();
    if (before === undefined) {
      if (settings().enabled) await routines.changed("added", await this.#create());
      return;
    }
    const after = await this.#update(before);
    if (after !== undefined) await routines.changed("updated", after);
  }

  /** Returns the heartbeat; undefined when it was never enabled or started. */
  async state(): Promise<RoutineState | undefined> {
    const routine = await this.#find();
    return routine && (await this.#dependencies.routines.state(routine));
  }

  /**
   * Runs one heartbeat now, without regard to interval and quiet hours (SUB-019). One that failures disabled is enabled
   * again (JOB-037).
   * @returns its end; undefined when the host stops before
   */
  async run(): Promise<RoutineRun | undefined> {
    const { routines } = this.#dependencies;
    const known = await this.#find();
    if (known === undefined) await routines.changed("added", await this.#create());
    const routine = (await this.enable()) ?? (await this.#require());
    return await routines.run(routine);
  }

  /** Enables a heartbeat that failures disabled; returns undefined when there is nothing to change. */
  async enable(): Promise<Routine | undefined> {
    const { store, settings, routines, now } = this.#dependencies;
    const routine = await this.#find();
    if (routine === undefined || routine.enabled || !settings().enabled) return undefined;
    const enabled = await store.routines.change(routine.routineId, {
      ...{ enabled: true, disabledReason: null, scheduledFrom: now() },
    });
    await routines.changed("updated", enabled);
    return enabled;
  }

  async #find(): Promise<Routine | undefined> {
    const found = await this.#dependencies.store.routines.find(HEARTBEAT, HOST_OWNER);
    return found.find(({ name }) => name === HEARTBEAT);
  }

  async #require(): Promise<Routine> {
    return (await this.#find()) ?? (await this.#create());
  }

  async #create(): Promise<Routine> {
    const { store, settings, now } = this.#dependencies;
    const { agentId, enabled } = settings();
    const routineId = randomUUID();
    return await store.transaction(async (unit) => {
      const routine = await unit.routines.add({
        ...{ routineId, name: HEARTBEAT, agentId, owner: HOST_OWNER, enabled },
        askedIn: mainSessionKey(agentId),
        scheduledFrom: now(),
        sessionKey: routineSessionKey(agentId, routineId),
        creator: writeCreator(heartbeatCreator(agentId)),
        definition: writeDefinition(heartbeatDefinition(settings(), now())),
      });
      if (enabled) return routine;
      return await unit.routines.change(routineId, { disabledReason: OFF });
    });
  }

  /** Returns the changed routine; undefined when the configuration is the one that it has. */
  async #update(before: Routine): Promise<Routine | undefined> {
    const { store, settings, now } = this.#dependencies;
    const current = settings();
    if (before.agentId !== current.agentId) {
      await store.routines.remove(before.routineId);
      return await this.#create();
    }
    const definition = heartbeatDefinition(current, now());
    const isChanged = definitionOf(before).action.revision !== definition.action.revision;
    const isOff = before.disabledReason === OFF;
    const changes = {
      ...(isChanged ? { definition: writeDefinition(definition), scheduledFrom: now() } : {}),
      ...(current.enabled
        ? // What failures disabled stays so until a person or the configuration changes something (JOB-037).
          !before.enabled && (isOff || isChanged)
          ? { enabled: true, disabledReason: null, scheduledFrom: now() }
          : {}
        : isOff
          ? {}
          : { enabled: false, disabledReason: OFF }),
    };
    if (Object.keys(changes).length === 0) return undefined;
    return await store.routines.change(before.routineId, changes);
  }
}
