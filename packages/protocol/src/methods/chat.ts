import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

/** The chat methods. */
export const chatMethods = methodTable(
  defineMethod({
    name: "chat.abort",
    summary: "Interrupts the turn that runs in a session, and its subagents (TURN-053).",
    params: Type.Object(
      {
        sessionKey: Type.String({
          minLength: 1,
          maxLength: 400,
          description: "Full or short key of the session, for example `agent:main:main` or `main`.",
        }),
        runId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: "Interrupts the turn only if it has this ID.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    result: Type.Object({
      aborted: Type.Boolean({
        description: "True when a turn or a subagent was running in the session.",
      }),
    }),
    errors: [],
    scope: "operator.write",
    effect: "write",
  }),
);
