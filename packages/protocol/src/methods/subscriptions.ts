import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const params = Type.Object(
  {
    sessionKey: Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        "Full or short key of the session, which need not exist yet; `*` for every session.",
    }),
  },
  { additionalProperties: false },
);

const result = Type.Object({
  sessionKey: Type.String({ description: "Full key of the session." }),
});

const errors = ["CONNECTION_NEEDED"];

/** The methods of subscriptions, which change the connection of their caller. */
export const subscriptionMethods = methodTable(
  defineMethod({
    name: "sessions.subscribe",
    summary: "Sends the events of a session to the connection of the call, from now on (GW-025).",
    params,
    result,
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "sessions.unsubscribe",
    summary: "Ends a subscription of the connection of the call (GW-025).",
    params,
    result,
    errors,
    scope: "operator.read",
    effect: "read",
  }),
);
