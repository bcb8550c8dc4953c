import { chatMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";

/** Dependencies of {@link createChatMethods}. */
export interface ChatMethodDependencies {
  /**
   * Interrupts the turn that runs in a session, and stops its subagents.
   * @param sessionKey - full or short key of the session
   * @param runId - interrupts the turn only if it is this one
   * @returns whether there was anything to interrupt
   */
  interrupt(sessionKey: string, runId?: string): Promise<boolean>;
}

/**
 * Makes the chat methods.
 * @param dependencies - interrupts turns
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
