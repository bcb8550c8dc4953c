import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";

/**
 * For observers of what has happened already: nobody waits for them, and a failure that was to count
 * (`fail-closed`) is an error in the log and changes no outcome (LIFE-038).
 * @param dispatch - what the hook engine's `observe` gave back
 * @param logger - where a failure is reported
 */
export function unawaited(dispatch: Promise<void> | undefined, logger: Logger): void {
  dispatch?.catch((error: unknown) => {
    logger.error(errorMessage(error), { code: "HOOK_FAILED_AFTERWARDS" });
  });
}
