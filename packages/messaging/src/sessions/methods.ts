import { sessionMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { SessionEnd } from "@openclaw/store";

/** Dependencies of {@link createSessionMethods}. */
export interface SessionMethodDependencies {
  /**
   * Deletes a session with all its data.
   * @param sessionKey - full or short key
   * @throws SessionNotFoundError, SessionBusyError
   */
  removeSession(sessionKey: string): Promise<SessionEnd>;
}

/**
 * Creates the session methods.
 * @param dependencies - function that deletes sessions
 */
export function createSessionMethods(
  dependencies: SessionMethodDependencies,
): MethodRegistry<typeof sessionMethods> {
  return MethodRegistry.of(sessionMethods, {
    "sessions.delete": async (parameters) => {
      const { sessionKey, sessionId, messageCount } = await dependencies.removeSession(
        parameters.sessionKey,
      );
      return { sessionKey, sessionId, messageCount };
    },
  });
}
