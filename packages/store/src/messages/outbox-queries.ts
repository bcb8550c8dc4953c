import type { Selectable } from "kysely";
import { preparedQuery } from "../database/prepared-query.js";
import type { OutboxColumns } from "./schema.js";

/**
 * Adds a part in state `pending`; returns no row when its run already has a part of that number.
 */
export const insertPart = preparedQuery<
  Pick<
    OutboxColumns,
    | "id"
    | "run_id"
    | "part"
    | "inbox_id"
    | "session_key"
    | "channel"
    | "recipient"
    | "account_id"
    | "thread_id"
    | "content"
    | "attachments"
    | "reply_to_id"
    | "created_at"
    | "node_id"
  >,
  Selectable<OutboxColumns>
>((query, parameter) =>
  query
    .insertInto("outbox")
    .values({
      id: parameter("id"),
      run_id: parameter("run_id"),
      part: parameter("part"),
      inbox_id: parameter("inbox_id"),
      session_key: parameter("session_key"),
      channel: parameter("channel"),
      recipient: parameter("recipient"),
      account_id: parameter("account_id"),
      thread_id: parameter("thread_id"),
      content: parameter("content"),
      attachments: parameter("attachments"),
      reply_to_id: parameter("reply_to_id"),
      state: "pending",
      attempts: 0,
      created_at: parameter("created_at"),
      node_id: parameter("node_id"),
    })
    .onConflict((conflict) => conflict.columns(["run_id", "part"]).doNothing())
    .returningAll(),
);

/** Columns that are set when a part is settled. */
export type PartEnding = Pick<
  OutboxColumns,
  "state" | "message_id" | "reason" | "cancellation" | "error" | "attempts"
>;

/** Settles a pending part. */
export const settlePart = preparedQuery<
  PartEnding & Pick<OutboxColumns, "id"> & { settled_at: number },
  Selectable<OutboxColumns>
>((query, parameter) =>
  query
    .updateTable("outbox")
    .set({
      state: parameter("state"),
      message_id: parameter("message_id"),
      reason: parameter("reason"),
      cancellation: parameter("cancellation"),
      error: parameter("error"),
      attempts: parameter("attempts"),
      settled_at: parameter("settled_at"),
    })
    .where("id", "=", parameter("id"))
    .where("state", "=", "pending")
    .returningAll(),
);
