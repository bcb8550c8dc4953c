import type { Kysely } from "kysely";
import type { Schema } from "./schema.js";
import { encodeText } from "./text-column.js";
import type { Notice } from "./topics.js";

/** Transaction of a node that publishes notices. */
interface PublishingUnit {
  readonly nodeId: string | undefined;
  now(): number;
  query(): Kysely<Schema>;
}

/**
 * Stores notices for the other nodes, in the transaction that published them; does nothing on a host that has the
 * database alone.
 * @param notices - the notices, in order
 */
export async function storeNotices(
  unit: PublishingUnit,
  notices: readonly Notice[],
): Promise<void> {
  const { nodeId } = unit;
  if (nodeId === undefined) return;
  const created_at = unit.now();
  const rows = notices.map(({ topic, text }) => ({
    ...{ node_id: nodeId, topic, notice: encodeText(text), created_at },
  }));
  await unit.query().insertInto("node_notices").values(rows).execute();
}
