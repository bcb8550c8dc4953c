import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in milliseconds since the epoch.` });

const dead = Type.Object(
  {
    id: Type.String({ description: "Name of the queue, `:`, and the key of the item." }),
    queue: Type.String(),
    attempts: Type.Integer({ minimum: 0 }),
    failure: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
    createdAt: time("Time at which it was added"),
    failedAt: Type.Optional(time("Time of its last failure")),
    sessionKey: Type.Optional(Type.String({ description: "Session of a reply." })),
    channel: Type.Optional(Type.String({ description: "Channel of a reply." })),
    to: Type.Optional(
      Type.String({ description: "Recipient of a reply, as its channel names it." }),
    ),
    text: Type.Optional(Type.String({ description: "Beginning of the text of a reply." })),
  },
  { title: "DeadItem" },
);

/** Work of a queue that failed for good. */
export type DeadItemSummary = Immutable<Static<typeof dead>>;

const item = Type.Object(
  {
    id: Type.String({ minLength: 3, maxLength: 400, description: "ID from `queue.dead`." }),
  },
  closed,
);

/** The methods of the queues of work (SCALE-014). */
export const queueMethods = methodTable(
  defineMethod({
    name: "queue.list",
    summary: "Lists the queues of work, with the work that runs or waits and the work that failed.",
    params: Type.Object({}, closed),
    result: Type.Object({
      queues: Type.Array(
        Type.Object({
          queue: Type.String({ description: "`turn`, `reply`, `job`, or another one." }),
          open: Type.Integer({ minimum: 0, description: "Items that run or wait." }),
          dead: Type.Integer({ minimum: 0, description: "Items that failed for good." }),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "queue.dead",
    summary: "Lists the work that failed for good, the oldest first.",
    params: Type.Object(
      {
        queue: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
      },
      closed,
    ),
    result: Type.Object({ items: Type.Array(dead) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "queue.requeue",
    summary: "Lets work that failed for good run again, from its first attempt.",
    params: item,
    result: dead,
    errors: ["QUEUE_ITEM_NOT_FOUND", "MESSAGE_TARGET_NOT_FOUND"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "queue.discard",
    summary: "Gives work up that failed for good.",
    params: item,
    result: dead,
    errors: ["QUEUE_ITEM_NOT_FOUND"],
    scope: "operator.write",
    effect: "write",
  }),
);
