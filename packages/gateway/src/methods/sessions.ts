import type {
  SessionMethod,
  SessionMethodParameters,
  SessionMethodResults,
} from "@openclaw/protocol";

/** What the session methods work with. */
export interface SessionAdministrationHost {
  /**
   * Deletes a session with all that belongs to it.
   * @param sessionKey - full or short key
   * @throws SessionNotFoundError, SessionBusyError
   */
  removeSession(sessionKey: string): Promise<SessionMethodResults["sessions.delete"]>;
}

/** The session methods of a host, the same for the command line and the wire. */
export type SessionAdministration = {
  readonly [Method in SessionMethod]: (
    parameters: SessionMethodParameters<Method>,
  ) => Promise<SessionMethodResults[Method]>;
};

/**
 * Makes the session methods of a host.
 * @param host - deletes sessions
 */
export function createSessionAdministration(
  host: SessionAdministrationHost,
): SessionAdministration {
  return {
    "sessions.delete": ({ sessionKey }) => host.removeSession(sessionKey),
  };
}
