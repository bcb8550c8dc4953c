import { type Selectable, sql } from "kysely";
import { preparedQuery } from "../database/prepared-query.js";
import type { TurnColumns } from "./schema.js";

/** States of a turn that has not ended. */
export const UNFINISHED = ["queued", "running", "awaiting_approval"] as const;

/** Adds a turn; returns no row when its run id is taken. */
export const insertTurn = preparedQuery<
  Pick<
    TurnColumns,
    | "run_id"
    | "inbox_id"
    | "session_key"
    | "session_id"
    | "agent_id"
    | "triggered_by"
    | "payload"
    | "state"
    | "attempts"
    | "queued_at"
    | "started_at"
  >,
  Selectable<TurnColumns>
>((query, parameter) =>
  query
    .insertInto("turns")
    .values({
      run_id: parameter("run_id"),
      inbox_id: parameter("inbox_id"),
      session_key: parameter("session_key"),
      session_id: parameter("session_id"),
      agent_id: parameter("agent_id"),
      triggered_by: parameter("triggered_by"),
      payload: parameter("payload"),
      state: parameter("state"),
      attempts: parameter("attempts"),
      queued_at: parameter("queued_at"),
      started_at: parameter("started_at"),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
);

/** Marks a queued turn as running. */
export const startTurn = beginTurn(["queued"]);

/** Marks a turn that has not ended as running. */
export const resumeTurn = beginTurn(UNFINISHED);

/** Ends a turn that has not ended, and deletes its payload. */
export const endTurn = preparedQuery<
  Pick<TurnColumns, "run_id" | "state" | "ended_at" | "stop_reason" | "error" | "usage">,
  Selectable<TurnColumns>
>((query, parameter) =>
  query
    .updateTable("turns")
    .set({
      state: parameter("state"),
      payload: null,
      ended_at: parameter("ended_at"),
      stop_reason: parameter("stop_reason"),
      error: parameter("error"),
      usage: parameter("usage"),
    })
    .where("run_id", "=", parameter("run_id"))
    .where("state", "in", UNFINISHED)
    .returningAll(),
);

/** Returns the oldest turn of a session that has not ended. */
export const nextTurn = preparedQuery<
  Pick<TurnColumns, "session_key">,
  { readonly run_id: string; readonly node_id: string | null }
>((query, parameter) =>
  query
    .selectFrom("turns")
    .innerJoin("inbox", "inbox.id", "turns.inbox_id")
    .select(["turns.run_id", "inbox.node_id"])
    // Literals, so that the planner can use the partial index.
    .where(
      "turns.state",
      "in",
      UNFINISHED.map((state) => sql.lit(state)),
    )
    .where("turns.session_key", "=", parameter("session_key"))
    .orderBy("inbox.position")
    .limit(sql.lit(1)),
);

function beginTurn(states: readonly (typeof UNFINISHED)[number][]) {
  return preparedQuery<{ run_id: string; started_at: number }, Selectable<TurnColumns>>(
    (query, parameter) =>
      query
        .updateTable("turns")
        .set((column) => ({
          state: "running",
          attempts: column("attempts", "+", 1),
          started_at: parameter("started_at"),
        }))
        .where("run_id", "=", parameter("run_id"))
        .where("state", "in", states)
        .returningAll(),
  );
}
