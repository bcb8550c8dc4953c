import type { UnitOfWork } from "../database/unit-of-work.js";

/** Removes the journals of ended turns. A turn that has not ended still needs every step. */
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
