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
  defineMethod({
    name: "auth.session",
    summary:
      "Creates a token for a session in a browser, with the scopes of the caller; over HTTP a ticket in the URL parameter `ticket` can be the caller (UI-037).",
    params: Type.Object({}, { additionalProperties: false }),
    result: Type.Object({
      token: Type.String({ description: "Bearer token of the session." }),
      expiresAt: Type.Integer({
        description: "Time after which it is rejected, in milliseconds since the epoch.",
      }),
    }),
    errors: ["DEVICE_TICKET", "SESSION_EXTENSION"],
    scope: "operator.read",
    effect: "read",
  }),
);
