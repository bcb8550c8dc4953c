import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";

const scope = "operator.read";

const request = {
  sessionKey: Type.String({ description: "Full key of the session." }),
  pluginId: Type.String({ description: "Plugin that gets the credential." }),
  name: Type.String({ description: "Name of the credential." }),
};

/** Events of credentials, sent to the subscribers of the session (CHAN-035). */
export const credentialEvents = {
  "credential.required": defineEvent({
    name: "credential.required",
    summary:
      "Sent when a plugin asks the conversation for a credential; the next message of the session is stored as one.",
    payload: Type.Object({
      ...request,
      expiresAt: Type.Integer({
        description: "End of the request in milliseconds since the epoch.",
      }),
      text: Type.String({ description: "Request for the person, with what happens to the text." }),
      instructions: Type.Optional(Type.String()),
      authUrl: Type.Optional(
        Type.String({ description: "URL at which the person gets the credential." }),
      ),
      setupUrl: Type.Optional(
        Type.String({ description: "URL at which the person sets up the service." }),
      ),
    }),
    scope,
    delivery: "durable",
  }),
  "credential.completed": defineEvent({
    name: "credential.completed",
    summary: "Sent when a credential is stored, or its request was cancelled or has expired.",
    payload: Type.Object({
      ...request,
      success: Type.Boolean({ description: "True when the credential is stored." }),
      message: Type.String(),
    }),
    scope,
    delivery: "durable",
  }),
};
