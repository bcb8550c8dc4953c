import type { PluginFault } from "@openclaw/plugin-loader";
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
  /** Returns true when a plugin was disabled or failed to load, so that only leftovers of it run. */
  isInactive(pluginId: string): boolean;
  /** Disables a plugin. */
  disable(pluginId: string): Promise<unknown>;
}

/**
 * Creates the receiver of plugin faults: it logs and counts them, and disables a plugin with {@link
 * FAULT_LIMIT} faults within {@link FAULT_WINDOW_MS}, or with one change of a built-in object. Faults of an inactive plugin are logged once in that time.
 * @param options - log, clock and function that disables a plugin
 */
export function createFaultLog({
  logger,
  now,
  isInactive,
  disable,
}: FaultLogOptions): (fault: PluginFault) => void {
  const faults = new Map<string, readonly number[]>();
  const toldInactive = new Map<string, number>();
  const tellInactive = (fault: PluginFault) => {
    const { pluginId } = fault;
    const isTold =
      now() - (toldInactive.get(pluginId) ?? Number.NEGATIVE_INFINITY) < FAULT_WINDOW_MS;
    if (isTold) return;
    toldInactive.set(pluginId, now());
    logger.error(
      `${describe(fault)}; the plugin is not active, but a timer or connection of it remains, which only a restart of the gateway ends`,
      { pluginId },
    );
  };
  return (fault) => {
    const { pluginId } = fault;
    if (isInactive(pluginId)) return tellInactive(fault);
    toldInactive.delete(pluginId);
    const recent = [...(faults.get(pluginId) ?? []), now()].filter(
      (at) => at > now() - FAULT_WINDOW_MS,
    );
    faults.set(pluginId, recent);
    logger.error(describe(fault), { pluginId, faults: recent.length });
    const isAtOnce = fault.kind === "pollution";
    if (!isAtOnce && recent.length < FAULT_LIMIT) return;
    // A plugin that is enabled again, or could not be disabled, starts with a count of zero.
    faults.delete(pluginId);
    const why = isAtOnce
      ? "because it changed built-in objects, which all code of the process shares"
      : `after ${FAULT_LIMIT} faults within ${FAULT_WINDOW_MS / 60_000} minutes`;
    logger.error(
      `plugin "${pluginId}" was disabled ${why}; fix it and run \`openclaw plugins enable ${pluginId}\``,
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
    place === undefined ? "in one of its calls, without a stack trace in its files" : `at ${place}`;
  return `plugin "${pluginId}" caused an unhandled ${kind} ${where}: ${error.message}`;
}
