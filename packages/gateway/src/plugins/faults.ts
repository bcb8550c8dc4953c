import type { PluginFault } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";

/** Faults within the window that disable a plugin. */
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
 * Makes the receiver of faults of plugins: it logs and counts them, and disables a plugin that has
 * {@link FAULT_LIMIT} of them within {@link FAULT_WINDOW_MS}.
 * @param options - log, clock and the way to disable a plugin
 */
export function createFaultLog({
  logger,
  now,
  disable,
}: FaultLogOptions): (fault: PluginFault) => void {
  const faults = new Map<string, readonly number[]>();
  return (fault) => {
    const { pluginId } = fault;
    const recent = [...(faults.get(pluginId) ?? []), now()].filter(
      (at) => at > now() - FAULT_WINDOW_MS,
    );
    faults.set(pluginId, recent);
    logger.error(describe(fault), { pluginId, faults: recent.length });
    if (recent.length < FAULT_LIMIT) return;
    // A plugin that is enabled again, or could not be disabled, starts over.
    faults.delete(pluginId);
    logger.error(
      `plugin "${pluginId}" is disabled: ${FAULT_LIMIT} faults within ${FAULT_WINDOW_MS / 60_000} minutes; correct it and run \`openclaw plugins enable ${pluginId}\``,
      { pluginId },
    );
    disable(pluginId).catch((problem: unknown) => {
      logger.error(`plugin "${pluginId}" could not be disabled: ${String(problem)}`, { pluginId });
    });
  };
}

function describe({ pluginId, place, kind, error }: PluginFault): string {
  if (kind === "pollution") return error.message;
  const where =
    place === undefined ? "in one of its calls, without a stack of its own" : `at ${place}`;
  return `plugin "${pluginId}" caused an unhandled ${kind} ${where}: ${error.message}`;
}
