import type { Selectable } from "kysely";
import { preparedQuery } from "../database/prepared-query.js";
import type { InboxColumns } from "./schema.js";

/** Columns of a message when it is received. */
export type ReceivedColumns = Omit<
  Selectable<InboxColumns>,
  "position" | "state" | "session_key" | "run_id" | "error" | "settled_at" | "forgotten_at"
>;

/** Adds a message in state `received`; returns no row when one of its keys is taken. */
export const insertMessage = preparedQuery<ReceivedColumns, Selectable<InboxColumns>>(
  (query, parameter) =>
    query
      .insertInto("inbox")
      .values({
        id: parameter("id"),
        channel: parameter("channel"),
        account_id: parameter("account_id"),
        conversation_id: parameter("conversation_id"),
        thread_id: parameter("thread_id"),
        sender_id: parameter("sender_id"),
        user_name: parameter("user_name"),
        external_message_id: parameter("external_message_id"),
        idempotency_key: parameter("idempotency_key"),
        content: parameter("content"),
        attachments: parameter("attachments"),
        received_at: parameter("received_at"),
        metadata: parameter("metadata"),
        state: "received",
        request: parameter("request"),
        node_id: parameter("node_id"),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll(),
);

/** Records the outcome of a received message, and deletes its request. */
export const settleMessage = preparedQuery<
  Pick<InboxColumns, "id" | "state" | "session_key" | "run_id" | "error" | "settled_at">,
  Selectable<InboxColumns>
>((query, parameter) =>
  query
    .updateTable("inbox")
    .set({
      state: parameter("state"),
      session_key: parameter("session_key"),
      run_id: parameter("run_id"),
      error: parameter("error"),
      settled_at: parameter("settled_at"),
      request: null,
    })
    .where("id", "=", parameter("id"))
    .where("state", "=", "received")
    .returningAll(),
);
