import { defined } from "@openclaw/foundation";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { EventPublisher } from "@openclaw/protocol";
import type { RoutineRun, RoutineRunKey } from "@openclaw/store";
import { cronJob, type RoutineState, statusOf } from "./view.js";

/** Event of the hook `cron_changed`. */
export type CronChanged = HookMap["cron_changed"]["event"];

/** Kind of a change of a routine. */
export type RoutineChange = CronChanged["action"];

/** Receivers of the changes of routines. */
export interface RoutineObservers {
  readonly events: EventPublisher;
  /**
   * Tells plugins of a change that is stored.
   * @param event - event of `cron_changed`
   */
  observe(event: CronChanged): void;
}

/** Tells clients and plugins of the changes of routines (GW-011). */
export class RoutineChanges {
  readonly #observers: RoutineObservers;
  /** Callbacks that wait for the end of a run. */
  readonly #waiting = new Map<string, (run: RoutineRun | undefined) => void>();

  /** @param observers - clients and plugins */
  constructor(observers: RoutineObservers) {
    this.#observers = observers;
  }

  /**
   * Resolves with a run once it has ended; with undefined when the host stops before.
   * @param key - due time that no other caller waits for
   */
  finished(key: RoutineRunKey): Promise<RoutineRun | undefined> {
    return new Promise((resolve) => this.#waiting.set(textOf(key), resolve));
  }

  /** Waits for nothing more. */
  close(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  /**
   * Tells of a change that is stored.
   * @param action - kind of the change
   * @param state - the routine as it is now; as it was, when it is removed
   * @param run - the run that began or ended
   */
  tell(action: RoutineChange, state: RoutineState, run?: RoutineRun): void {
    const { routineId, name, askedIn, sessionKey, enabled } = state.routine;
    if (action === "finished" && run !== undefined) {
      this.#waiting.get(textOf(run))?.(run);
      this.#waiting.delete(textOf(run));
    }
    const nextAt = enabled && action !== "removed" ? state.nextAt : undefined;
    this.#observers.events.publish("cron.changed", {
      ...{ action, routineId, name, enabled },
      ...defined({ sessionKey: askedIn, nextAt }),
      ...(run === undefined
        ? {}
        : {
            plannedAt: run.plannedAt,
            state: run.state,
            ...defined({ reason: run.reason, delivery: run.delivery?.state }),
          }),
    });
    this.#observers.observe({
      ...{ action, jobId: routineId, job: cronJob(state) },
      ...defined({ nextRunAtMs: nextAt }),
      ...(run === undefined ? {} : runFields(action, run)),
      ...(run?.runId === undefined ? {} : { sessionKey, runId: run.runId }),
    });
  }
}

function textOf({ routineId, plannedAt }: RoutineRunKey): string {
  return `${routineId} ${plannedAt}`;
}

function runFields(action: RoutineChange, run: RoutineRun): Partial<CronChanged> {
  const { plannedAt, startedAt, endedAt, answer, reason, delivery, state } = run;
  const began = { runAtMs: startedAt ?? plannedAt };
  if (action !== "finished") return began;
  const durationMs =
    startedAt === undefined || endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt);
  return {
    ...began,
    status: statusOf(run),
    deliveryStatus: delivery?.state ?? "unknown",
    ...(delivery === undefined || delivery.state === "not-requested"
      ? {}
      : { delivered: delivery.state === "delivered" }),
    ...(delivery?.state === "not-delivered"
      ? { deliveryError: delivery.reason ?? "it was not delivered" }
      : {}),
    ...defined({
      durationMs,
      summary: answer,
      error: state === "failed" ? (reason ?? "it failed") : undefined,
    }),
  };
}
