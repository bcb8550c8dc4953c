import { type StoredTable, TABLE_NAMES } from "../database/tables.js";
import { decodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowStateError } from "../errors.js";

/** Removes the rows of a table that belong to a session, by its key as the database spells it. */
type Removal = (session_key: string, unit: UnitOfWork) => Promise<unknown>;

/** What the end of a session does to the rows of each table. A table that is missing does not compile. */
const REMOVALS: { readonly [Table in StoredTable]: Removal | "kept" } = {
  // The rows stay without their text, so that a repeat of a message is still recognised.
  inbox: (session_key, unit) =>
    unit
      .query()
      .updateTable("inbox")
      .set({
        content: "",
        attachments: "[]",
        metadata: "{}",
        user_name: null,
        forgotten_at: unit.now(),
      })
      .where("session_key", "=", session_key)
      .where("forgotten_at", "is", null)
      .execute(),
  sessions: (session_key, unit) =>
    unit.query().deleteFrom("sessions").where("session_key", "=", session_key).execute(),
  session_incarnations: (session_key, unit) =>
    unit
      .query()
      .deleteFrom("session_incarnations")
      .where("session_key", "=", session_key)
      .execute(),
  turns: (session_key, unit) =>
    unit.query().deleteFrom("turns").where("session_key", "=", session_key).execute(),
  transcript: (session_key, unit) =>
    unit
      .query()
      .deleteFrom("transcript")
      .where("session_id", "in", incarnationsOf(session_key, unit))
      .execute(),
  compactions: (session_key, unit) =>
    unit
      .query()
      .deleteFrom("compactions")
      .where("session_id", "in", incarnationsOf(session_key, unit))
      .execute(),
  journal: (session_key, unit) =>
    unit.query().deleteFrom("journal").where("run_id", "in", runsOf(session_key, unit)).execute(),
  token_totals: (session_key, unit) =>
    unit
      .query()
      .deleteFrom("token_totals")
      .where("scope", "=", "session")
      .where("id", "in", incarnationsOf(session_key, unit))
      .execute(),
  outbox: (session_key, unit) =>
    unit.query().deleteFrom("outbox").where("run_id", "in", runsOf(session_key, unit)).execute(),
  next_turn_injections: (session_key, unit) =>
    unit
      .query()
      .deleteFrom("next_turn_injections")
      .where("session_key", "=", session_key)
      .execute(),
  session_extensions: (session_key, unit) =>
    unit.query().deleteFrom("session_extensions").where("session_key", "=", session_key).execute(),
  policy_decisions: (session_key, unit) =>
    unit
      .query()
      .deleteFrom("policy_decisions")
      .where("run_id", "in", runsOf(session_key, unit))
      .execute(),
  traces: (session_key, unit) =>
    unit.query().deleteFrom("traces").where("run_id", "in", runsOf(session_key, unit)).execute(),
  approvals: (session_key, unit) =>
    unit.query().deleteFrom("approvals").where("session_key", "=", session_key).execute(),
  approval_grants: (session_key, unit) =>
    unit
      .query()
      .deleteFrom("approval_grants")
      .where("session_key", "=", session_key)
      // What was allowed beyond the session was not allowed for its sake.
      .where("scope", "=", "session")
      .execute(),
  subagents: (session_key, unit) =>
    unit.query().deleteFrom("subagents").where("session_key", "=", session_key).execute(),
  // A plugin's own, and shared by sessions.
  plugin_values: "kept",
  policy_snapshots: "kept",
  // Who refused and allowed what is not for the one to erase whom it tells of.
  tool_audit: "kept",
  audit: "kept",
  audit_head: "kept",
};

/**
 * Removes a session with all that belongs to it. What is deleted is overwritten in the database.
 * @param session_key - as the database spells it
 * @param unit - the transaction
 * @throws RowStateError when a turn of it has not ended
 */
export async function removeSession(session_key: string, unit: UnitOfWork): Promise<void> {
  const unfinished = await unit
    .query()
    .selectFrom("turns")
    .select(["run_id", "state"])
    .where("session_key", "=", session_key)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (unfinished !== undefined) {
    throw new RowStateError(
      `sessions.remove(${decodeText(session_key)})`,
      `with a ${unfinished.state} turn (${decodeText(unfinished.run_id)})`,
      "without unfinished turns",
      "wait for its end, or interrupt it first",
    );
  }
  for (const table of TABLE_NAMES.toReversed()) {
    const removal = REMOVALS[table];
    if (removal !== "kept") await removal(session_key, unit);
  }
}

function incarnationsOf(session_key: string, unit: UnitOfWork) {
  return unit
    .query()
    .selectFrom("session_incarnations")
    .select("session_id")
    .where("session_key", "=", session_key);
}

/** Words that answer a message without a turn bear the message's id in place of a run's. */
function runsOf(session_key: string, unit: UnitOfWork) {
  const answered = unit
    .query()
    .selectFrom("inbox")
    .select("id as run_id")
    .where("session_key", "=", session_key)
    .where("forgotten_at", "is", null);
  return unit
    .query()
    .selectFrom("turns")
    .select("run_id")
    .where("session_key", "=", session_key)
    .unionAll(answered);
}
