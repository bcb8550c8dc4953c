import { failureRecord } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import { retentionDays, type Store } from "@openclaw/store";
import type { OpenClawConfiguration } from "../configuration/schema.js";

/** A start is not to be slowed down by what can wait. */
const FIRST_SWEEP_MS = 60_000;
const PAUSE_MS = 60 * 60_000;

/** Removes what has been kept long enough, from time to time (SCALE-029). */
export interface RetentionSchedule {
  /** Ends the sweep that runs after its transaction, and begins no other. */
  close(): Promise<void>;
}

/**
 * Begins to sweep: a minute after the start, then every hour.
 * @param store - what is swept
 * @param configuration - how long what is kept, `store.retention` and `tools.policyLog`
 * @param logger - told what was removed, and what kept a sweep from it
 */
export function scheduleRetention(
  store: Pick<Store, "retention">,
  { store: { retention = {} } = {}, tools: { policyLog } = {} }: OpenClawConfiguration,
  logger: Logger,
): RetentionSchedule {
  const days = retentionDays(retention, policyLog);
  const ending = new AbortController();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;

  async function sweep(): Promise<void> {
    try {
      const counts = await store.retention.sweep(days, { signal: ending.signal });
      const removed = Object.entries(counts).filter(([, count]) => count > 0);
      if (removed.length > 0) {
        logger.info("what was kept long enough is removed", Object.fromEntries(removed));
      }
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.warn(`what was kept long enough could not be removed: ${message}`, { code });
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
