import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";

/**
 * Logs the rejection of work that is not awaited, for example of observing hooks: a failure that counts
 * (`fail-closed`) is an error in the log and does not change the outcome (LIFE-038).
 * @param dispatch - promise returned by the hook engine's `observe`
 * @param logger - receives the failure
 */
export function logRejection(dispatch: Promise<unknown> | undefined, logger: Logger): void {
  dispatch?.catch((error: unknown) => {
    logger.error(errorMessage(error), { code: "HOOK_FAILED_AFTERWARDS" });
  });
}
