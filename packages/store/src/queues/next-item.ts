import { sql } from "kysely";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { TakeOptions } from "./item.js";

/**
 * Returns the row of the item that an owner may take: no owner works on it, and no earlier one with its singleton key is
 * unfinished.
 * @param options - which item
 */
export async function availableItem(
  unit: UnitOfWork,
  queue: string,
  { key, seize = false }: Pick<TakeOptions, "key" | "seize">,
) {
  const now = await unit.clock();
  return await unit
    .query()
    .selectFrom("queue_items as item")
    .leftJoin("leases", (join) =>
      join.on("leases.lease_key", "=", sql<string>`item.queue || ':' || item.item_key`),
    )
    .selectAll("item")
    .where("item.queue", "=", queue)
    .where(({ and, eb }) =>
      key === undefined
        ? and([eb("item.state", "=", "waiting"), eb("item.run_at", "<=", now)])
        : and([eb("item.state", "!=", "dead"), eb("item.item_key", "=", encodeText(key))]),
    )
    .$if(!seize, (query) =>
      query.where(({ eb, or }) =>
        or([eb("leases.expires_at", "is", null), eb("leases.expires_at", "<=", now)]),
      ),
    )
    .where(({ eb, exists, not, or, selectFrom }) =>
      or([
        eb("item.singleton_key", "is", null),
        not(
          exists(
            selectFrom("queue_items as earlier")
              .select("earlier.number")
              .where("earlier.queue", "=", queue)
              .whereRef("earlier.singleton_key", "=", "item.singleton_key")
              .whereRef("earlier.number", "<", "item.number")
              .where("earlier.state", "!=", "dead"),
          ),
        ),
      ]),
    )
    .orderBy("item.priority", "desc")
    .orderBy("item.number")
    .limit(1)
    .executeTakeFirst();
}
