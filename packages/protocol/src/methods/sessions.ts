import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

/** The session methods. */
export const sessionMethods = methodTable(
  defineMethod({
    name: "sessions.delete",
    summary: "Deletes a session with all its data (TURN-010).",
    params: Type.Object(
      {
        sessionKey: Type.String({
          minLength: 1,
          maxLength: 400,
          description: "Full or short key of the session, for example `agent:main:main` or `main`.",
        }),
      },
      { additionalProperties: false },
    ),
    result: Type.Object({
      sessionKey: Type.String({ description: "Full key of the deleted session." }),
      sessionId: Type.String({ description: "ID of its last conversation." }),
      messageCount: Type.Integer({ description: "Number of messages of its last conversation." }),
    }),
    errors: ["SESSION_NOT_FOUND", "SESSION_BUSY"],
    scope: "operator.admin",
    effect: "write",
  }),
);
