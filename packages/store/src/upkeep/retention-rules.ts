import type { StoredTable } from "../database/tables.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { RetentionSubject } from "./retention.js";

/**
 * Removes some rows.
 * @param unit - the transaction
 * @param before - they are older than this, in milliseconds since the epoch
 * @param limit - how many at most
 * @returns how many; 0 when none is left
 */
export type Sweep = (unit: UnitOfWork, before: number, limit: number) => Promise<number>;

/** Which setting decides over the rows of a table, and what removes them. */
export interface RetentionRule {
  readonly subject: RetentionSubject;
  readonly sweep: Sweep;
}

/** What age does to the rows of each table. A table that is missing here does not compile. */
export const RETENTION_RULES: { readonly [Table in StoredTable]: RetentionRule | "kept" } = {
  inbox: { subject: "messageContent", sweep: forgetInbound },
  outbox: { subject: "messageContent", sweep: forgetReplies },
  transcript: { subject: "transcript", sweep: removeTranscripts },
  compactions: { subject: "transcript", sweep: removeCompactions },
  journal: { subject: "journal", sweep: removeJournals },
  tool_audit: { subject: "toolAudit", sweep: byAge("tool_audit") },
  traces: { subject: "trace", sweep: removeTraces },
  policy_decisions: { subject: "policyDecision", sweep: byAge("policy_decisions") },
  policy_snapshots: { subject: "policyDecision", sweep: removeSnapshots },
  approvals: { subject: "approval", sweep: removeApprovals },
  // A grant counts until it is revoked, and a chain without its beginning proves nothing.
  approval_grants: "kept",
  audit: "kept",
  audit_head: "kept",
  // Small rows that say which conversations there were, and how each turn ended.
  sessions: "kept",
  session_incarnations: "kept",
  turns: "kept",
  token_totals: "kept",
  subagents: "kept",
  // Their plugins decide, and what waits for a turn that never comes is bounded and has its own expiry.
  plugin_values: "kept",
  session_extensions: "kept",
  next_turn_injections: "kept",
};

/** The rows stay, so that a repeat of the message is still recognised. */
async function forgetInbound(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await unit
    .query()
    .updateTable("inbox")
    .set({ content: "", attachments: "[]", forgotten_at: unit.now() })
    .where("position", "in", (inner) =>
      inner
        .selectFrom("inbox")
        .leftJoin("turns", "turns.run_id", "inbox.run_id")
        .select("inbox.position")
        .where("inbox.forgotten_at", "is", null)
        .where("inbox.settled_at", "<", before)
        // The text of a message whose turn has not ended is still needed.
        .where(({ or, eb }) =>
          or([eb("turns.run_id", "is", null), eb("turns.ended_at", "is not", null)]),
        )
        .orderBy("inbox.settled_at")
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function forgetReplies(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await unit
    .query()
    .updateTable("outbox")
    .set({ content: "", attachments: "[]", forgotten_at: unit.now() })
    .where("position", "in", (inner) =>
      inner
        .selectFrom("outbox")
        .select("position")
        .where("forgotten_at", "is", null)
        .where("settled_at", "<", before)
        .orderBy("settled_at")
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Conversations that ended, or that nobody has used since. */
function overSince(unit: UnitOfWork, before: number) {
  return unit
    .query()
    .selectFrom("session_incarnations as over")
    .innerJoin("sessions", "sessions.session_key", "over.session_key")
    .where(({ or, eb }) =>
      or([eb("over.ended_at", "<", before), eb("sessions.updated_at", "<", before)]),
    );
}

async function removeTranscripts(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const over = await overSince(unit, before)
    .select(["over.session_id", "over.message_count"])
    .where("over.message_count", ">", 0)
    .limit(limit)
    .execute();
  let removed = 0;
  for (const { session_id, message_count } of over) {
    const most = Math.min(message_count, limit - removed);
    if (most === 0) break;
    const { numDeletedRows } = await unit
      .query()
      .deleteFrom("transcript")
      .where("session_id", "=", session_id)
      .where("seq", "in", (inner) =>
        inner
          .selectFrom("transcript")
          .select("seq")
          .where("session_id", "=", session_id)
          .orderBy("seq")
          .limit(most),
      )
      .executeTakeFirstOrThrow();
    await unit
      .query()
      .updateTable("session_incarnations")
      .set({ message_count: message_count - most })
      .where("session_id", "=", session_id)
      .execute();
    removed += Number(numDeletedRows);
  }
  return removed;
}

async function removeCompactions(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("compactions")
    .where(({ refTuple, eb }) =>
      eb(
        refTuple("session_id", "up_to_seq"),
        "in",
        overSince(unit, before)
          .innerJoin("compactions as old", "old.session_id", "over.session_id")
          .select(["old.session_id", "old.up_to_seq"])
          .limit(limit)
          .$asTuple("session_id", "up_to_seq"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Of a turn that has not ended every step is still needed. */
async function removeJournals(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("journal")
    .where(({ refTuple, eb }) =>
      eb(
        refTuple("run_id", "seq"),
        "in",
        unit
          .query()
          .selectFrom("journal as old")
          .leftJoin("turns", "turns.run_id", "old.run_id")
          .select(["old.run_id", "old.seq"])
          .where("old.created_at", "<", before)
          .where(({ or, eb: is }) =>
            or([is("turns.run_id", "is", null), is("turns.ended_at", "<", before)]),
          )
          .orderBy("old.created_at")
          .limit(limit)
          .$asTuple("run_id", "seq"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** How the rows of a log go whose age alone decides, oldest first. */
function byAge(table: "tool_audit" | "policy_decisions") {
  return async (unit: UnitOfWork, before: number, limit: number): Promise<number> => {
    const { numDeletedRows } = await unit
      .query()
      .deleteFrom(table)
      .where("position", "in", (inner) =>
        inner
          .selectFrom(table)
          .select("position")
          .where("at", "<", before)
          .orderBy("at")
          .limit(limit),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  };
}

async function removeTraces(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("traces")
    .where(({ refTuple, eb }) =>
      eb(
        refTuple("run_id", "segment"),
        "in",
        unit
          .query()
          .selectFrom("traces as old")
          .select(["old.run_id", "old.segment"])
          .where("old.created_at", "<", before)
          .orderBy("old.created_at")
          .limit(limit)
          .$asTuple("run_id", "segment"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Policies that no decision in the log was made by any more. */
async function removeSnapshots(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("policy_snapshots")
    .where("id", "in", (inner) =>
      inner
        .selectFrom("policy_snapshots as old")
        .select("old.id")
        .where("old.created_at", "<", before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("policy_decisions")
                .select("policy_decisions.position")
                .whereRef("policy_decisions.snapshot_id", "=", "old.id"),
            ),
          ),
        )
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** An answer that a turn may still need is kept with it. */
async function removeApprovals(unit: UnitOfWork, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("approvals")
    .where("id", "in", (inner) =>
      inner
        .selectFrom("approvals as old")
        .leftJoin("turns", "turns.run_id", "old.run_id")
        .select("old.id")
        .where("old.decided_at", "<", before)
        .where(({ or, eb }) =>
          or([eb("turns.run_id", "is", null), eb("turns.ended_at", "is not", null)]),
        )
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
