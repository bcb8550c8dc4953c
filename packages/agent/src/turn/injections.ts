import type { Logger } from "@openclaw/plugin-sdk";
import type { PromptParts, QueuedInjection } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import type { RunningTurn } from "../context/turn.js";

/** Owner of the prompt injections of the host itself; no plugin can have this ID. */
export const HOST_INJECTIONS = "host:subagents";

/** Dependencies of {@link drainInjections}. */
export interface InjectionDependencies {
  readonly store: Store;
  readonly logger: Logger;
}

/**
 * Drains the prompt injections that plugins queued for the session's next turn. They belong to this turn
 * until a model has received them, and are queued again if the turn ends before (TURN-049).
 */
export async function drainInjections({
  request,
  state,
  dependencies,
  pin,
}: RunningTurn<InjectionDependencies>): Promise<readonly QueuedInjection[]> {
  const { runId, sessionKey } = request;
  const { injections, expired } = await dependencies.store.sessions.injections.drain(
    sessionKey,
    runId,
    (pluginId) => pluginId === HOST_INJECTIONS || pin.mayAddToPrompts(pluginId),
  );
  if (expired > 0) {
    const message = `${expired} prompt injections of plugins were dropped because they had expired`;
    dependencies.logger.info(message, { code: "INJECTION_EXPIRED", runId, expired });
  }
  state.holdsInjections = injections.length > 0;
  state.gathered = { ...state.gathered, injections };
  return injections;
}

/**
 * Returns the prompt parts of drained injections.
 * @param injections - in the order in which they were left
 */
export function injectedParts(injections: readonly QueuedInjection[]): PromptParts[] {
  return injections.map(({ text, placement }) =>
    placement === "append_context" ? { appendContext: text } : { prependContext: text },
  );
}
