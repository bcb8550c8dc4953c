import { sql } from "kysely";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Length of the shortest period that sums distinguish: every time zone begins its days at a multiple of it. */
const QUARTER_HOUR_MS = 15 * 60 * 1000;

/** Group of the calls of a sum. `quarter` is a quarter of an hour, of which days and months are made. */
export type SpendingGroup = "agent" | "session" | "model" | "job" | "quarter";

/** Period, filter and group of sums. */
export interface SpendingQuery {
  /** First time, in milliseconds since the epoch. */
  readonly from: number;
  /** End of the period, exclusive. */
  readonly to: number;
  /** Incarnation of a session whose calls are summed; those of all sessions when absent. */
  readonly sessionId?: string | undefined;
  readonly groupBy: SpendingGroup;
}

/** Sum of the calls of a group. */
export interface SpendingSum {
  /**
   * ID of the agent or job, key of the session, `<provider>/<model>`, or the start of the quarter of an hour; empty
   * for calls that belong to none, as those of a removed session.
   */
  readonly key: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Picodollars. */
  readonly cost: bigint;
  /** Number of calls whose cost is an estimate. */
  readonly estimatedCalls: number;
}

const KEYS = {
  agent: sql<string>`agent_id`,
  session: sql<string>`coalesce(session_key, '')`,
  model: sql<string>`provider || '/' || model`,
  job: sql<string>`coalesce(job_id, '')`,
  quarter: sql<string>`cast(created_at - created_at % ${sql.lit(QUARTER_HOUR_MS)} as text)`,
};

/**
 * Returns the sums of the settled calls of a period, by group and in the order of the groups' keys.
 * @param unit - the database or transaction
 * @param query - period, filter and group
 */
export async function sumSpending(
  unit: UnitOfWork,
  { from, to, sessionId, groupBy }: SpendingQuery,
): Promise<readonly SpendingSum[]> {
  const key = KEYS[groupBy];
  const rows = await unit
    .query()
    .selectFrom("model_calls")
    .select(({ fn }) => [
      key.as("key"),
      fn.countAll<number>().as("calls"),
      fn.sum<number>("input").as("input"),
      fn.sum<number>("output").as("output"),
      fn.sum<number>("cache_read").as("cacheRead"),
      fn.sum<number>("cache_write").as("cacheWrite"),
      fn.sum<number>("is_estimated").as("estimatedCalls"),
      // As text, because a sum may be larger than a number can be exactly.
      sql<string>`cast(sum(cost) as text)`.as("cost"),
    ])
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .where("settled_at", "is not", null)
    .$if(sessionId !== undefined, (query) =>
      query.where("session_id", "=", encodeText(sessionId ?? "")),
    )
    .groupBy(key)
    .orderBy(key)
    .execute();
  return rows.map(({ key: found, cost, ...sums }) => ({
    ...sums,
    key: decodeText(found),
    cost: BigInt(cost),
  }));
}
