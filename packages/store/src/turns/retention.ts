import { sql } from "kysely";
import type { UnitOfWork } from "../database/unit-of-work.js";

/**
 * Removes the journals of ended turns, once their last step is old enough. A turn that has not ended still needs
 * every step. The last steps of a run are removed first, because its first one finds the others.
 */
export async function removeJournals(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("journal")
    .where(({ refTuple, eb }) =>
      eb(
        refTuple("run_id", "seq"),
        "in",
        unit
          .query()
          .selectFrom("journal as first")
          .innerJoin("journal as old", "old.run_id", "first.run_id")
          .leftJoin("turns", "turns.run_id", "first.run_id")
          .select(["old.run_id", "old.seq"])
          // A literal, so that the planner can use the partial index.
          .where("first.seq", "=", sql.lit(1))
          .where("first.created_at", "<", before)
          .where(({ or, eb: is }) =>
            or([is("turns.run_id", "is", null), is("turns.ended_at", "<", before)]),
          )
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("journal as newer")
                  .select("newer.seq")
                  .whereRef("newer.run_id", "=", "first.run_id")
                  .where("newer.created_at", ">=", before),
              ),
            ),
          )
          .orderBy("first.created_at")
          .orderBy("first.run_id")
          .orderBy("old.seq", "desc")
          .limit(limit)
          .$asTuple("run_id", "seq"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Removes traces, oldest first. */
export async function removeTraces(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
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
