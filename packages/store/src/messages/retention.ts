import type { UnitOfWork } from "../database/unit-of-work.js";

/**
 * Empties inbound messages. The rows stay, so that a duplicate of a message is still recognized.
 */
export async function forgetInbound(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
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

/** Empties replies that were delivered, suppressed or failed. */
export async function forgetReplies(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
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

/**
 * Selects the incarnations that ended before a time, or whose session was last used before it. The current incarnation of
 * a session ends whenever the host stops, and is used again after the next start; only its last use counts.
 */
function overSince(unit: UnitOfWork, before: number) {
  return unit
    .query()
    .selectFrom("session_incarnations as over")
    .innerJoin("sessions", "sessions.session_key", "over.session_key")
    .where(({ and, or, eb }) =>
      or([
        eb("sessions.updated_at", "<", before),
        and([
          eb("over.ended_at", "<", before),
          eb("over.session_id", "!=", eb.ref("sessions.session_id")),
        ]),
      ]),
    );
}

/** Removes transcript entries of conversations that have ended. */
export async function removeTranscripts(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
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

/** Removes the compactions of conversations that have ended. */
export async function removeCompactions(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
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
