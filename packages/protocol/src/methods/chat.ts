import { type Static, Type } from "typebox";

/** Parameters of the chat methods, by name. */
export const chatMethodParameters = {
  "chat.abort": Type.Object(
    {
      /** Full or short key of the session, for example `agent:main:main` or `main`. */
      sessionKey: Type.String({ minLength: 1, maxLength: 400 }),
      /** Ends the turn only if it is this one. */
      runId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
};

/** Name of a chat method. */
export type ChatMethod = keyof typeof chatMethodParameters;

/** Parameters of a chat method. */
export type ChatMethodParameters<Method extends ChatMethod> = Static<
  (typeof chatMethodParameters)[Method]
>;

/** Results of the chat methods. */
export interface ChatMethodResults {
  /** Whether there was anything to end: the session's turn, or children of it (TURN-053). */
  "chat.abort": { readonly aborted: boolean };
}
