import { decodeText } from "./text-column.js";
import type { Notice } from "./topics.js";
import type { UnitOfWork } from "./unit-of-work.js";

const MINUTE_MS = 60_000;
/** Most notices that are read at once. */
const BATCH = 500;

/** A notice of another node, with its number. */
export interface NumberedNotice extends Notice {
  readonly number: number;
  readonly isOwn: boolean;
}

/**
 * Returns the notices after a number, oldest first. Writers take turns, so a lower number is never committed later.
 * @param unit - the database
 * @param after - number of the last notice that was read
 */
export async function noticesAfter(
  unit: UnitOfWork,
  after: number,
): Promise<readonly NumberedNotice[]> {
  const rows = await unit
    .query()
    .selectFrom("node_notices")
    .select(["number", "node_id", "topic", "notice"])
    .where("number", ">", after)
    .orderBy("number")
    .limit(BATCH)
    .execute();
  return rows.map(({ number, node_id, topic, notice }) => ({
    ...{ number, topic, text: decodeText(notice), isOwn: node_id === unit.nodeId },
  }));
}

/** Returns the number of the newest notice. */
export async function lastNotice(unit: UnitOfWork): Promise<number> {
  const row = await unit
    .query()
    .selectFrom("node_notices")
    .select(({ fn }) => fn.max("number").as("last"))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Removes the notices that every live node has read: each reads them every second. */
export async function removeOldNotices(unit: UnitOfWork): Promise<void> {
  // The newest stays, because a node that starts continues after it.
  await unit
    .query()
    .deleteFrom("node_notices")
    .where("created_at", "<", unit.now() - MINUTE_MS)
    .where("number", "<", (inner) =>
      inner.selectFrom("node_notices").select(({ fn }) => fn.max("number").as("last")),
    )
    .execute();
}
