import type { PluginFault } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";

/** Number of faults within the window that disables a plugin. */
export const FAULT_LIMIT = 5;
/** Window in which faults are counted, in milliseconds. */
export const FAULT_WINDOW_MS = 10 * 60_000;

/** Options of {@link createFaultLog}. */
export interface FaultLogOptions {
  readonly logger: Logger;
  /** Returns milliseconds of a clock that is never set back. */
  now(): number;
  /**
   * Disables a plugin.
   * @param pluginId - the plugin
   */
  disable(pluginId: string): Promise<unknown>;
}

/**
 * Creates the receiver of plugin faults: it logs and counts them, and disables a plugin with {@link
 * FAULT_LIMIT} faults within {@link FAULT_WINDOW_MS}.
 * @param options - log, clock and function that disables a plugin
 */
export function createFaultLog({
  logger,
  now,
  disable,
}: FaultLogOptions): (fault: PluginFault) => void {
  const faults = new Map<string, readonly number[]>();
  return ({ pluginId, place, kind, error }) => {
    const recent = [...(faults.get(pluginId) ?? []), now()].filter(
      (at) => at > now() - FAULT_WINDOW_MS,
    );
    faults.set(pluginId, recent);
    logger.error(`plugin "${pluginId}" caused an unhandled ${kind} at ${place}: ${error.message}`, {
      pluginId,
      faults: recent.length,
    });
    if (recent.length < FAULT_LIMIT) return;
    // A plugin that is enabled again, or could not be disabled, starts with a count of zero.
    faults.delete(pluginId);
    logger.error(
      `plugin "${pluginId}" was disabled after ${FAULT_LIMIT} unhandled errors within ${FAULT_WINDOW_MS / 60_000} minutes; fix it and run \`openclaw plugins enable ${pluginId}\``,
      { pluginId },
    );
    disable(pluginId).catch((problem: unknown) => {
      logger.error(`plugin "${pluginId}" could not be disabled: ${String(problem)}`, { pluginId });
    });
  };
}
