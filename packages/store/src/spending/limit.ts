import { sql } from "kysely";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Calls that a limit counts: those of an agent, an incarnation of a session, a job, or all. */
export type SpendingScope =
  | { readonly kind: "host" }
  | { readonly kind: "agent" | "session" | "job"; readonly id: string };

/** Limit that the calls of models may not exceed. */
export type SpendingLimit =
  | {
      readonly unit: "cost";
      readonly scope: SpendingScope;
      /** Start of the period; the whole past of the scope when absent. */
      readonly since?: number | undefined;
      /** Picodollars. */
      readonly maximum: bigint;
    }
  | {
      readonly unit: "calls";
      readonly scope: SpendingScope;
      readonly since: number;
      readonly maximum: number;
    };

/** A limit, and how much of it is used or reserved. */
export type SpentLimit =
  | { readonly limit: Extract<SpendingLimit, { unit: "cost" }>; readonly used: bigint }
  | {
      readonly limit: Extract<SpendingLimit, { unit: "calls" }>;
      readonly used: number;
      /** Time of the call after whose leaving the period one more is allowed; absent below the limit. */
      readonly freedBy?: number | undefined;
    };

const SCOPE_COLUMNS = { agent: "agent_id", session: "session_id", job: "job_id" } as const;

/**
 * Returns how much of a limit is used by settled calls and by reservations that have not expired.
 * @param now - time of the database, in milliseconds since the epoch
 */
export async function spentOf(
  unit: UnitOfWork,
  limit: SpendingLimit,
  now: number,
): Promise<SpentLimit> {
  if (limit.unit === "calls") return await countedCalls(unit, limit, now);
  const { scope, since } = limit;
  if (since !== undefined) return { limit, used: await costSince(unit, { scope, since, now }) };
  if (scope.kind === "host")
    return { limit, used: await costSince(unit, { scope, since: 0, now }) };
  return { limit, used: (await totalOf(unit, scope)) + (await reservedBy(unit, scope, now)) };
}

interface Period {
  readonly scope: SpendingScope;
  readonly since: number;
  readonly now: number;
}

async function costSince(unit: UnitOfWork, period: Period): Promise<bigint> {
  const { cost } = await counted(unit, period)
    .select(sql<string | null>`cast(sum(cost) as text)`.as("cost"))
    .executeTakeFirstOrThrow();
  return BigInt(cost ?? 0);
}

async function countedCalls(
  unit: UnitOfWork,
  limit: Extract<SpendingLimit, { unit: "calls" }>,
  now: number,
): Promise<SpentLimit> {
  const calls = await counted(unit, { scope: limit.scope, since: limit.since, now })
    .select("created_at")
    .orderBy("created_at", "desc")
    .limit(Math.max(1, limit.maximum))
    .execute();
  const used = calls.length;
  return used < limit.maximum
    ? { limit, used }
    : { limit, used, freedBy: calls.at(-1)?.created_at };
}

/** Selects the calls of a period that count: settled ones, and reservations that have not expired. */
function counted(unit: UnitOfWork, { scope, since, now }: Period) {
  return unit
    .query()
    .selectFrom("model_calls")
    .where("created_at", ">=", since)
    .where(({ or, eb }) => or([eb("settled_at", "is not", null), eb("expires_at", ">", now)]))
    .$if(scope.kind !== "host", (query) => {
      if (scope.kind === "host") return query;
      return query.where(SCOPE_COLUMNS[scope.kind], "=", encodeText(scope.id));
    });
}

async function totalOf(
  unit: UnitOfWork,
  { kind, id }: Exclude<SpendingScope, { kind: "host" }>,
): Promise<bigint> {
  const row = await unit
    .query()
    .selectFrom("token_totals")
    .select(sql<string>`cast(cost as text)`.as("cost"))
    .where("scope", "=", kind)
    .where("id", "=", encodeText(id))
    .executeTakeFirst();
  return BigInt(row?.cost ?? 0);
}

async function reservedBy(
  unit: UnitOfWork,
  { kind, id }: Exclude<SpendingScope, { kind: "host" }>,
  now: number,
): Promise<bigint> {
  const { cost } = await unit
    .query()
    .selectFrom("model_calls")
    .select(sql<string | null>`cast(sum(cost) as text)`.as("cost"))
    .where("settled_at", "is", null)
    .where("expires_at", ">", now)
    .where(SCOPE_COLUMNS[kind], "=", encodeText(id))
    .executeTakeFirstOrThrow();
  return BigInt(cost ?? 0);
}
