import type { OpenClawConfiguration } from "@openclaw/configuration";
import type { BackgroundTasks } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { retentionDays, type Store } from "@openclaw/store";

/** Delay of the first sweep, so that it does not slow down the start. */
const FIRST_SWEEP_MS = 60_000;
const PAUSE_MS = 60 * 60_000;

/** Removes expired data at regular intervals (SCALE-029). */
export interface RetentionSchedule {
  /** Ends the running sweep after its transaction, and starts no other. */
  close(): void;
}

/** Dependencies of {@link scheduleRetention}. */
export interface RetentionDependencies {
  readonly store: Pick<Store, "retention">;
  /** Retention settings in force, `store.retention` and `tools.policyLog`. */
  readonly configuration: { readonly value: OpenClawConfiguration };
  readonly tasks: Pick<BackgroundTasks, "add">;
  /** Receives the results of sweeps. */
  readonly logger: Logger;
}

/**
 * Starts the sweeps: the first one minute after the start, then one every hour.
 * @param dependencies - store, configuration, background tasks and log
 */
export function scheduleRetention({
  store,
  configuration,
  tasks,
  logger,
}: RetentionDependencies): RetentionSchedule {
  const ending = new AbortController();
  const task = tasks.add({
    name: "retention",
    intervalMs: () => PAUSE_MS,
    async run() {
      task.in(PAUSE_MS);
      const { store: { retention = {} } = {}, tools: { policyLog } = {} } = configuration.value;
      const days = retentionDays(retention, policyLog);
      const counts = await store.retention.sweep(days, { signal: ending.signal });
      const removed = Object.entries(counts).filter(([, count]) => count > 0);
      if (removed.length > 0) logger.info("removed expired data", Object.fromEntries(removed));
    },
  });
  task.in(FIRST_SWEEP_MS);
  return {
    close() {
      ending.abort();
      task.cancel();
    },
  };
}
