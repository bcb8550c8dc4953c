import type { Sweep } from "../database/context-definition.js";

/** Removes calls by their age, also those that a process did not finish. */
export const removeCalls: Sweep = async (unit, before, limit) => {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("calls")
    .where(({ refTuple, eb }) =>
      eb(
        refTuple("caller_id", "idempotency_key"),
        "in",
        unit
          .query()
          .selectFrom("calls as old")
          .select(["old.caller_id", "old.idempotency_key"])
          .where("old.begun_at", "<", before)
          .orderBy("old.begun_at")
          .limit(limit)
          .$asTuple("caller_id", "idempotency_key"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
