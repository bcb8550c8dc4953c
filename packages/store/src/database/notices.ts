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

/** Notices that were read. */
interface ReadNotices {
  /** Oldest first. */
  readonly notices: readonly NumberedNotice[];
  /** True if others before them may have been removed before they were read. */
  readonly areLost: boolean;
}

/**
 * Returns the notices after a number. Writers take turns, so a lower number is never committed later.
 * @param after - number of the last notice that was read; 0 for none
 */
export async function noticesAfter(unit: UnitOfWork, after: number): Promise<ReadNotices> {
  const rows = await unit
    .query()
    .selectFrom("node_notices")
    .select(["number", "node_id", "topic", "notice"])
    // The last one too: old notices are removed, but not the newest.
    .where("number", ">=", after)
    .orderBy("number")
    .limit(BATCH)
    .execute();
  const isKnown = rows[0]?.number === after;
  const notices = rows.slice(isKnown ? 1 : 0).map(({ number, node_id, topic, notice }) => ({
    ...{ number, topic, text: decodeText(notice), isOwn: node_id === unit.nodeId },
  }));
  return { notices, areLost: after > 0 && !isKnown && notices.length > 0 };
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
