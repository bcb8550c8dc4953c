import { chatMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";

/** Dependencies of {@link createChatMethods}. */
export interface ChatMethodDependencies {
  /**
   * Interrupts the turn that runs in a session, and stops its subagents.
   * @param sessionKey - full or short key of the session
   * @param runId - interrupts only the turn with this ID
   * @returns true when a turn or a subagent was interrupted
   */
  interrupt(sessionKey: string, runId?: string): Promise<boolean>;
}

/**
 * Creates the chat methods.
 * @param dependencies - function that interrupts turns
 */
export function createChatMethods(
  dependencies: ChatMethodDependencies,
): MethodRegistry<typeof chatMethods> {
  return MethodRegistry.of(chatMethods, {
    "chat.abort": async ({ sessionKey, runId }) => ({
      aborted: await dependencies.interrupt(sessionKey, runId),
    }),
  });
}
