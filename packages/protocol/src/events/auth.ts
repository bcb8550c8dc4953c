import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";

const scope = "operator.read";

const credential = {
  credential: Type.String({ description: "Name of the credential, `<plugin id>/<id>`." }),
  pluginId: Type.String({ description: "Plugin that uses the credential." }),
};

/** Events of OAuth credentials (HOST-019). */
export const authEvents = {
  auth_required: defineEvent({
    name: "auth_required",
    summary:
      "Sent when a credential needs a login again, because the server rejected the refresh of its token.",
    payload: Type.Object({
      ...credential,
      label: Type.Optional(Type.String({ description: "Display name." })),
      reason: Type.String({ description: "Reason without secrets." }),
    }),
    scope,
    delivery: "durable",
  }),
  auth_completed: defineEvent({
    name: "auth_completed",
    summary: "Sent when a login of a credential is complete.",
    payload: Type.Object(credential),
    scope,
    delivery: "durable",
  }),
};
