import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

/** The authentication methods. */
export const authMethods = methodTable(
  defineMethod({
    name: "auth.ticket",
    summary:
      "Creates a one-time ticket with the scopes of the caller, for a URL where no header can be sent (GW-013).",
    params: Type.Object({}, { additionalProperties: false }),
    result: Type.Object({
      ticket: Type.String({ description: "Value of the URL parameter `ticket`, valid once." }),
      expiresInMs: Type.Integer({ description: "Time in milliseconds for which it is valid." }),
    }),
    errors: ["RATE_LIMITED", "DEVICE_TICKET"],
    scope: "operator.read",
    effect: "write",
  }),
);
