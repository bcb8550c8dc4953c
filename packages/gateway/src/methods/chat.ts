import type { ChatMethod, ChatMethodParameters, ChatMethodResults } from "@openclaw/protocol";

/** What the chat methods work with. */
export interface ChatAdministrationHost {
  /**
   * Ends the turn that runs in a session early, and its children.
   * @param sessionKey - full or short key of the session
   * @param runId - ends the turn only if it is this one
   * @returns whether there was anything to end
   */
  interrupt(sessionKey: string, runId?: string): Promise<boolean>;
}

/** The chat methods of a host, the same for the command line and the wire. */
export type ChatAdministration = {
  readonly [Method in ChatMethod]: (
    parameters: ChatMethodParameters<Method>,
  ) => Promise<ChatMethodResults[Method]>;
};

/**
 * Makes the chat methods of a host.
 * @param host - ends turns
 */
export function createChatAdministration(host: ChatAdministrationHost): ChatAdministration {
  return {
    "chat.abort": async ({ sessionKey, runId }) => ({
      aborted: await host.interrupt(sessionKey, runId),
    }),
  };
}
