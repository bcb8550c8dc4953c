import { errorMessage, type Timers, withDeadline } from "@openclaw/foundation";
import type { PluginFaults } from "@openclaw/plugin-loader";
import type { Logger } from "@openclaw/plugin-sdk";
import type { InternalEvent } from "@openclaw/plugin-sdk/hooks";
import type { PluginHookRegistration } from "../registration/hook.js";

/** Time that one handler has, in milliseconds. */
const DEADLINE_MS = 5000;

/** Event that a host fires. */
export type FiredEvent = Pick<InternalEvent, "type" | "action" | "sessionKey" | "context">;

/** Dependencies of {@link dispatchEvent}. */
export interface EventDispatchDependencies {
  readonly faults: PluginFaults;
  readonly logger: Logger;
  readonly timers?: Timers | undefined;
}

/**
 * Calls the handlers of a colon event that follows no hook, by priority, then in the order of registration. A handler
 * that fails, or takes more than 5 seconds, is logged.
 * @param fired - the event
 * @param hooks - registrations of the current generation
 * @param dependencies - faults of plugins, log and timers
 * @returns the strings that handlers pushed (LIFE-041)
 */
export async function dispatchEvent(
  { type, action, sessionKey, context }: FiredEvent,
  hooks: readonly PluginHookRegistration[],
  { faults, logger, timers }: EventDispatchDependencies,
): Promise<readonly string[]> {
  const called = handlersOf({ type, action }, hooks).sort(
    (left, right) => (right.priority ?? 0) - (left.priority ?? 0),
  );
  const messages: string[] = [];
  for (const { handler, pluginId } of called) {
    const event: InternalEvent = {
      ...{ type, action, sessionKey, messages },
      timestamp: new Date(),
      context: Object.freeze({ ...context }),
    };
    const call: (event: InternalEvent) => unknown = handler as (event: unknown) => unknown;
    try {
      await withDeadline(
        DEADLINE_MS,
        async () => await faults.scope(pluginId).run(() => call(event)),
        timers,
      );
    } catch (error) {
      const problem = errorMessage(error);
      logger.error(`the handler of plugin "${pluginId}" for ${type}:${action} failed: ${problem}`, {
        pluginId,
      });
    }
  }
  return messages.filter((message) => typeof message === "string" && message !== "");
}

/**
 * Returns the active handlers of an event, in the order of registration.
 * @param event - type and action
 * @param hooks - registrations of the current generation
 */
export function handlersOf(
  { type, action }: Pick<FiredEvent, "type" | "action">,
  hooks: readonly PluginHookRegistration[],
): PluginHookRegistration[] {
  const names = [type, `${type}:${action}`];
  return hooks.filter(
    ({ active, events }) => active && events.some((name) => names.includes(name)),
  );
}
