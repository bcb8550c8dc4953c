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
 * Stores the end of a turn as soon as the database is available, so that no turn is stored as running that
 * does not run. What is still open when the host stops is resumed by the next start.
 * @param runId - the turn
 * @param store - stores its end
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
      logger.info("the end of a turn is stored at last", { runId });
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
