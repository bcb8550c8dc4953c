import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const endpoint = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "URL of the subscription at the push service of the browser.",
});
const key = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

/** The methods of notifications that a browser shows while no page is open (Web Push). */
export const pushMethods = methodTable(
  defineMethod({
    name: "push.key",
    summary: "Returns the key that a browser subscribes to notifications with (VAPID).",
    params: Type.Object({}, closed),
    result: Type.Object({
      publicKey: Type.String({ description: "Uncompressed P-256 point in Base64url." }),
    }),
    errors: [],
    scope: "operator.approvals",
    effect: "read",
  }),
  defineMethod({
    name: "push.list",
    summary: "Lists the subscriptions to notifications, the oldest first.",
    params: Type.Object({}, closed),
    result: Type.Object({
      subscriptions: Type.Array(
        Type.Object({
          id: Type.String(),
          service: Type.String({ description: "Host of the push service." }),
          createdAt: Type.Integer({ description: "Milliseconds since the epoch." }),
          createdBy: Type.String({ description: "Name of the token." }),
        }),
      ),
    }),
    errors: [],
    scope: "operator.approvals",
    effect: "read",
  }),
  defineMethod({
    name: "push.subscribe",
    summary:
      "Notifies a browser of each request that waits for a decision. The notification has the ID of the request alone. Of more than 100 subscriptions the oldest is removed.",
    params: Type.Object(
      {
        endpoint,
        keys: Type.Object(
          { p256dh: key("P-256 key of the browser."), auth: key("Secret of 16 bytes.") },
          closed,
        ),
      },
      closed,
    ),
    result: Type.Object({ id: Type.String() }),
    errors: ["PUSH_SUBSCRIPTION_INVALID", "NETWORK_DENIED"],
    scope: "operator.approvals",
    effect: "write",
    idempotency: "repeatable",
  }),
  defineMethod({
    name: "push.unsubscribe",
    summary: "Ends the notifications of a browser.",
    params: Type.Object({ endpoint }, closed),
    result: Type.Object({ removed: Type.Boolean({ description: "True if it was subscribed." }) }),
    errors: [],
    scope: "operator.approvals",
    effect: "write",
    idempotency: "repeatable",
  }),
);
