import { type RawBuilder, type SqlBool, sql } from "kysely";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Length of the shortest period that sums distinguish: every time zone begins its days at a multiple of it. */
const QUARTER_HOUR_MS = 15 * 60 * 1000;

/** Group of the calls of a sum. `quarter` is a quarter of an hour, of which days and months are made. */
export type SpendingGroup = SpendingSubject | "quarter";

/** Property of a call by which calls are grouped and filtered. */
export type SpendingSubject = "agent" | "session" | "model" | "job" | "sender";

/** Values that the calls of a sum have; an empty string selects calls without one. */
export type SpendingFilter = Readonly<Partial<Record<SpendingSubject, string | undefined>>>;

/** Period, filter and group of sums. */
export interface SpendingQuery {
  /** First time, in milliseconds since the epoch. */
  readonly from: number;
  /** End of the period, exclusive. */
  readonly to: number;
  /** Incarnation of a session whose calls are summed; those of all sessions when absent. */
  readonly sessionId?: string | undefined;
  /** Values that the calls have. */
  readonly filter?: SpendingFilter | undefined;
  readonly groupBy: SpendingGroup;
  /** True to sum each quarter of an hour of a group by itself. */
  readonly byQuarter?: boolean | undefined;
}

/** Sum of the calls of a group. */
export interface SpendingSum {
  /**
   * ID of the agent or job, key of the session, `<provider>/<model>`, `<channel>:<sender>` of the message that the call
   * belongs to, or the start of the quarter of an hour; empty for calls that belong to none, as those of a removed session.
   */
  readonly key: string;
  /** Start of the quarter of an hour; empty without `byQuarter`. */
  readonly quarter: string;
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

const QUARTER = sql<string>`cast(model_calls.created_at - model_calls.created_at % ${sql.lit(QUARTER_HOUR_MS)} as text)`;

/** The sender is that of the message whose turn made the call. */
const KEYS = {
  agent: sql<string>`model_calls.agent_id`,
  session: sql<string>`coalesce(model_calls.session_key, '')`,
  model: sql<string>`model_calls.provider || '/' || model_calls.model`,
  job: sql<string>`coalesce(model_calls.job_id, '')`,
  sender: sql<string>`coalesce((
    select inbox.channel || ':' || inbox.sender_id
    from turns inner join inbox on inbox.id = turns.inbox_id
    where turns.run_id = model_calls.run_id
  ), '')`,
  quarter: QUARTER,
} satisfies Record<SpendingGroup, unknown>;

const SUBJECTS = ["agent", "session", "model", "job", "sender"] as const;

/**
 * Returns the sums of the settled calls of a period, by group and in the order of the groups' keys.
 * @param unit - the database or transaction
 * @param query - period, filter and group
 */
export async function sumSpending(
  unit: UnitOfWork,
  { from, to, sessionId, filter = {}, groupBy, byQuarter = false }: SpendingQuery,
): Promise<readonly SpendingSum[]> {
  const calls = unit
    .query()
    .selectFrom("model_calls")
    .selectAll()
    .select([KEYS[groupBy].as("key"), (byQuarter ? QUARTER : NO_QUARTER).as("quarter")])
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .where("settled_at", "is not", null)
    .$if(sessionId !== undefined, (query) =>
      query.where("session_id", "=", encodeText(sessionId ?? "")),
    )
    .where(fitting(filter));
  const rows = await unit
    .query()
    // A subquery, because PostgreSQL does not group by an expression with a query in it.
    .selectFrom(calls.as("calls"))
    .select(({ fn }) => [
      "key",
      "quarter",
      fn.countAll<number>().as("calls"),
      fn.sum<number>("input").as("input"),
      fn.sum<number>("output").as("output"),
      fn.sum<number>("cache_read").as("cacheRead"),
      fn.sum<number>("cache_write").as("cacheWrite"),
      fn.sum<number>("is_estimated").as("estimatedCalls"),
      // As text, because a sum may be larger than a number can be exactly.
      sql<string>`cast(sum(cost) as text)`.as("cost"),
    ])
    .groupBy(["key", "quarter"])
    .orderBy("key")
    .orderBy("quarter")
    .execute();
  return rows.map(({ key: found, cost, ...sums }) => ({
    ...sums,
    key: decodeText(found),
    cost: BigInt(cost),
  }));
}

/**
 * Returns those of some settled calls that a filter selects.
 * @param unit - the database or transaction
 * @param filter - values that the calls have
 */
export async function fittingCalls(
  unit: UnitOfWork,
  callIds: readonly string[],
  filter: SpendingFilter,
): Promise<ReadonlySet<string>> {
  if (callIds.length === 0) return new Set();
  const rows = await unit
    .query()
    .selectFrom("model_calls")
    .select("call_id")
    .where("call_id", "in", callIds.map(encodeText))
    .where(fitting(filter))
    .execute();
  return new Set(rows.map(({ call_id }) => decodeText(call_id)));
}

const NO_QUARTER = sql<string>`''`;

function fitting(filter: SpendingFilter): RawBuilder<SqlBool> {
  const conditions = SUBJECTS.flatMap((subject) => {
    const value = filter[subject];
    return value === undefined ? [] : [sql<SqlBool>`${KEYS[subject]} = ${encodeText(value)}`];
  });
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql.join<SqlBool>(conditions, sql` and `);
}
