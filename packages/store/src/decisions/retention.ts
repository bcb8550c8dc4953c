import type { UnitOfWork } from "../database/unit-of-work.js";

/** Removes policy snapshots that no decision in the log refers to. */
export async function removeSnapshots(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
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

/** Removes settled approvals. One that a turn may still need is kept until the turn ends. */
export async function removeApprovals(
  unit: UnitOfWork,
  before: number,
  limit: number,
): Promise<number> {
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
