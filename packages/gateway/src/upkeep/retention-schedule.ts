import type { OpenClawConfiguration } from "@openclaw/configuration";
import { failureRecord } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import { retentionDays, type Store } from "@openclaw/store";

/** Delay of the first sweep, so that it does not slow down the start. */
const FIRST_SWEEP_MS = 60_000;
const PAUSE_MS = 60 * 60_000;

/** Removes expired data at regular intervals (SCALE-029). */
export interface RetentionSchedule {
  /** Ends the running sweep after its transaction, and starts no other. */
  close(): Promise<void>;
}

/**
 * Starts the sweeps: the first one minute after the start, then one every hour.
 * @param store - store to sweep
 * @param configuration - retention settings in force, `store.retention` and `tools.policyLog`
 * @param logger - receives the results and failures of sweeps
 */
export function scheduleRetention(
  store: Pick<Store, "retention">,
  configuration: { readonly value: OpenClawConfiguration },
  logger: Logger,
): RetentionSchedule {
  const ending = new AbortController();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;

  async function sweep(): Promise<void> {
    try {
      const { store: { retention = {} } = {}, tools: { policyLog } = {} } = configuration.value;
      const days = retentionDays(retention, policyLog);
      const counts = await store.retention.sweep(days, { signal: ending.signal });
      const removed = Object.entries(counts).filter(([, count]) => count > 0);
      if (removed.length > 0) {
        logger.info("removed expired data", Object.fromEntries(removed));
      }
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.warn(`could not remove expired data: ${message}`, { code });
    }
    if (!ending.signal.aborted) sweepAfter(PAUSE_MS);
  }

  function sweepAfter(milliseconds: number): void {
    timer = setTimeout(() => {
      running = sweep();
    }, milliseconds).unref();
  }

  sweepAfter(FIRST_SWEEP_MS);
  return {
    async close() {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
