import { systemClock } from "@openclaw/foundation";
import { StoreUnavailableError } from "@openclaw/store/errors";
import type { MessageHost } from "../inbound/host.js";
import { failureRecord } from "../messages/failure-record.js";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Stores the end of a turn as soon as the database takes it, so that no turn stays running that nobody
 * runs. What is still open when the host ends is taken up by the next start.
 * @param runId - the turn
 * @param store - stores its end
 * @param host - timers, log and the end of the host
 */
export function storeEndLater(
  runId: string,
  store: () => Promise<unknown>,
  { services, signal, logger }: Pick<MessageHost, "services" | "signal" | "logger">,
): void {
  const { timers = systemClock } = services;

  function tryAfter(pauseMs: number): void {
    const timer = timers.setTimeout(() => {
      signal.removeEventListener("abort", giveUp);
      void attempt(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    }, pauseMs);
    const giveUp = () => timers.clearTimeout(timer);
    signal.addEventListener("abort", giveUp, { once: true });
  }

  async function attempt(nextPauseMs: number): Promise<void> {
    try {
      await store();
      logger.info("the end of a turn is stored at last", { runId });
    } catch (error) {
      if (StoreUnavailableError.isInstance(error)) {
        if (!signal.aborted) tryAfter(nextPauseMs);
        return;
      }
      const { code, message } = failureRecord(error);
      logger.error(`the end of a turn was not stored: ${message}`, { code, runId });
    }
  }

  if (!signal.aborted) tryAfter(FIRST_PAUSE_MS);
}
