import { type Static, Type } from "typebox";

/** Parameters of the session methods, by name. */
export const sessionMethodParameters = {
  "sessions.delete": Type.Object(
    {
      /** Full or short key of the session, for example `agent:main:main` or `main`. */
      sessionKey: Type.String({ minLength: 1, maxLength: 400 }),
    },
    { additionalProperties: false },
  ),
};

/** Name of a session method. */
export type SessionMethod = keyof typeof sessionMethodParameters;

/** Parameters of a session method. */
export type SessionMethodParameters<Method extends SessionMethod> = Static<
  (typeof sessionMethodParameters)[Method]
>;

/** Results of the session methods. */
export interface SessionMethodResults {
  /** What was deleted (TURN-010). */
  "sessions.delete": {
    readonly sessionKey: string;
    readonly sessionId: string;
    /** Messages of its last conversation. */
    readonly messageCount: number;
  };
}
