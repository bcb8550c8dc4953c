import { BackgroundTasks, systemClock, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";

/** Dependencies of {@link openTasks}. */
export interface HostTasksDependencies {
  readonly store: Pick<Store, "pausedTasks">;
  readonly logger: Logger;
  /** Timers of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/**
 * Creates the background tasks of a host. A task that was paused in an earlier process is paused in this one.
 * @param dependencies - store of the pauses, log, timers and clock
 */
export async function openTasks({
  store,
  logger,
  timers = systemClock,
  now,
}: HostTasksDependencies): Promise<BackgroundTasks> {
  return new BackgroundTasks({
    ...{ timers, now },
    failed: (problem, isReported) => logger[isReported ? "error" : "warn"](problem),
    pauses: {
      earlier: await store.pausedTasks.list(),
      keep: (name, isPaused) => store.pausedTasks.set(name, isPaused),
    },
  });
}
