import { eraseOutcomes } from "../calls/erasure.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/**
 * Erases the content of a conversation: its transcript, and what its ended turns and settled messages keep of it. The rows
 * of messages and turns stay, so that a repeated message is still recognized and the number of turns does not change.
 * Approval requests, audit logs and usage are kept (SUB-034).
 * @param sessionId - incarnation of the session
 */
export async function eraseConversation(sessionId: string, unit: UnitOfWork): Promise<void> {
  unit.erases();
  const session_id = encodeText(sessionId);
  const query = unit.query();
  const session = query
    .selectFrom("session_incarnations")
    .select("session_key")
    .where("session_id", "=", session_id);
  for (const { session_key } of await session.execute()) await eraseOutcomes(session_key, unit);
  const endedRuns = query
    .selectFrom("turns")
    .select("run_id")
    .where("session_id", "=", session_id)
    .where("ended_at", "is not", null);
  await query
    .updateTable("inbox")
    .set({ content: "", attachments: "[]", metadata: "{}", forgotten_at: unit.now() })
    .where("session_key", "in", session)
    .where("settled_at", "is not", null)
    .where("forgotten_at", "is", null)
    // A command or a rejected message has no turn.
    .where(({ or, eb }) => or([eb("run_id", "is", null), eb("run_id", "in", endedRuns)]))
    .execute();
  await query
    .updateTable("routine_runs")
    .set({ input: null })
    .where(
      "identity",
      "in",
      query.selectFrom("inbox").select("id").where("session_key", "in", session),
    )
    .execute();
  await query
    .updateTable("outbox")
    .set({ content: "", attachments: "[]", forgotten_at: unit.now() })
    .where("run_id", "in", endedRuns)
    .where("settled_at", "is not", null)
    .where("forgotten_at", "is", null)
    .execute();
  const messages = query.selectFrom("inbox").select("id").where("run_id", "in", endedRuns);
  for (const table of ["message_outcomes", "responses"] as const) {
    await query.deleteFrom(table).where("inbox_id", "in", messages).execute();
  }
  for (const table of ["journal", "traces"] as const) {
    await query.deleteFrom(table).where("run_id", "in", endedRuns).execute();
  }
  await query
    .updateTable("turns")
    .set({ payload: null })
    .where("run_id", "in", endedRuns)
    .execute();
  for (const table of ["transcript", "compactions"] as const) {
    await query.deleteFrom(table).where("session_id", "=", session_id).execute();
  }
  await query
    .updateTable("session_incarnations")
    .set({ message_count: 0 })
    .where("session_id", "=", session_id)
    .execute();
}
