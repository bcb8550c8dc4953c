import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const scope = "operator.admin" as const;
const time = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in milliseconds since the epoch.` });
const name = Type.String({
  minLength: 1,
  maxLength: 256,
  description: "Name of the credential, `<plugin id>/<id>`, or its ID when only one plugin has it.",
});
const credential = Type.String({ description: "Name of the credential, `<plugin id>/<id>`." });
const loginId = Type.String({ minLength: 1, maxLength: 64, description: "ID of the login." });

const progress = Type.Object({
  loginId,
  credential,
  status: Type.Enum(["pending", "completed", "failed", "expired", "cancelled"]),
  message: Type.String({ description: "Sentence about the status, without secrets." }),
});

/** The methods of logins at other services (HOST-018); none of them returns a token. */
export const loginMethods = methodTable(
  defineMethod({
    name: "logins.list",
    summary: "Lists the OAuth credentials that plugins register, without their tokens.",
    params: Type.Object({}, closed),
    result: Type.Object({
      credentials: Type.Array(
        Type.Object({
          name: credential,
          pluginId: Type.String(),
          label: Type.Optional(Type.String({ description: "Display name." })),
          status: Type.Enum(["logged-in", "needs-login"]),
          reason: Type.Optional(Type.String({ description: "Reason why a login is needed." })),
          expiresAt: Type.Optional(time("End of the access token, which is refreshed before")),
        }),
      ),
    }),
    errors: ["SECRET_KEY_UNUSABLE"],
    scope,
    effect: "read",
  }),
  defineMethod({
    name: "logins.start",
    summary:
      "Starts a login of a credential, and cancels a pending one. It ends after 10 minutes (HOST-018).",
    params: Type.Object(
      {
        name,
        redirectUri: Type.Optional(
          Type.String({
            maxLength: 256,
            description:
              "Listener of the caller, `http://127.0.0.1:PORT/oauth/callback`; the callback below `gateway.publicUrl` when absent.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      loginId,
      credential,
      url: Type.String({ description: "URL that the person opens in a browser." }),
      redirectUri: Type.String({ description: "URL to which the browser returns." }),
      expiresAt: time("End of the login"),
    }),
    errors: ["OAUTH_CREDENTIAL_NOT_FOUND", "OAUTH_LOGIN_INVALID", "OAUTH_REQUEST_FAILED"],
    scope,
    effect: "write",
    // A repeat replaces the login, and a stored result would keep the state of the URL.
    idempotency: "own",
  }),
  defineMethod({
    name: "logins.status",
    summary: "Returns the state of a login.",
    params: Type.Object({ loginId }, closed),
    result: progress,
    errors: ["OAUTH_LOGIN_INVALID"],
    scope,
    effect: "read",
  }),
  defineMethod({
    name: "logins.complete",
    summary:
      "Passes the callback of a login on that reached the listener of the caller. A state is used once.",
    params: Type.Object(
      {
        query: Type.String({ maxLength: 16_384, description: "Query of the callback URL." }),
      },
      closed,
    ),
    result: progress,
    errors: ["OAUTH_STATE_INVALID", "SECRET_INVALID", "SECRET_KEY_UNUSABLE"],
    scope,
    effect: "write",
    // A repeat is rejected, and a hash of the parameters would be a hash of the code.
    idempotency: "own",
  }),
  defineMethod({
    name: "logins.remove",
    summary: "Deletes the tokens of a credential, and revokes them if the server can.",
    params: Type.Object({ name }, closed),
    result: Type.Object({
      credential,
      removed: Type.Boolean({ description: "False when there were no tokens." }),
      revoked: Type.Boolean({ description: "True when the server revoked them." }),
    }),
    errors: ["OAUTH_CREDENTIAL_NOT_FOUND", "OAUTH_LOGIN_INVALID", "SECRET_KEY_UNUSABLE"],
    scope,
    effect: "write",
    // A repeat has no further effect.
    idempotency: "own",
  }),
);
