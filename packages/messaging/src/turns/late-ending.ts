import type { Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { StoreUnavailableError } from "@openclaw/store/errors";
import { failureRecord } from "../messages/failure-record.js";

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;

/** Dependencies of {@link storeEndLater}. */
export interface LateEndingDependencies {
  readonly timers: Timers;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Stores the end of a turn as soon as the database is available, so that no turn stays stored as running.
 * Ends that are still open when the host stops are resolved by the next start.
 * @param runId - ID of the turn
 * @param store - function that stores its end
 * @param dependencies - timers, log and the signal of the host
 */
export function storeEndLater(
  runId: string,
  store: () => Promise<unknown>,
  { timers, signal, logger }: LateEndingDependencies,
): void {
  function tryAfter(delayMs: number): void {
    const timer = timers.setTimeout(() => {
      signal.removeEventListener("abort", giveUp);
      void attempt(Math.min(delayMs * 2, LONGEST_DELAY_MS));
    }, delayMs);
    const giveUp = () => timers.clearTimeout(timer);
    signal.addEventListener("abort", giveUp, { once: true });
  }

  async function attempt(nextDelayMs: number): Promise<void> {
    try {
      await store();
      logger.info("the end of a turn was stored after a delay", { runId });
    } catch (error) {
      if (StoreUnavailableError.isInstance(error)) {
        if (!signal.aborted) tryAfter(nextDelayMs);
        return;
      }
      const { code, message } = failureRecord(error);
      logger.error(`the end of a turn was not stored: ${message}`, { code, runId });
    }
  }

  if (!signal.aborted) tryAfter(FIRST_DELAY_MS);
}
