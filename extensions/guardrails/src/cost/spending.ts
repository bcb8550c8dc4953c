import type { PluginDatabase, PluginDatabaseQuery } from "@openclaw/plugin-sdk/store";
import { insertRows } from "../storage/rows.js";

/** Kind of a sum. */
export type SpendingScope = "day" | "sender" | "session";

/** One sum: of a day, of a sender on a day, or of a session. */
export interface SpendingPlace {
  readonly scope: SpendingScope;
  /** Sender or session; empty for a day. */
  readonly name: string;
  /** Day as `YYYY-MM-DD`; empty for a session. */
  readonly period: string;
}

/** Amount of a place. */
export interface Spending {
  /** Millionths of a millionth of a US dollar. */
  readonly picoUsd: bigint;
  readonly tokens: number;
  /** Number of calls whose price or tokens were not known. */
  readonly estimated: number;
}

/** Sum of a place. */
export interface StoredSpending extends Spending, SpendingPlace {
  readonly hasWarned: boolean;
}

interface SpendingRow {
  readonly scope: SpendingScope;
  readonly name: string;
  readonly period: string;
  readonly pico_usd: number | bigint;
  readonly tokens: number | bigint;
  readonly estimated: number | bigint;
  readonly warned: number | bigint;
}

const COLUMNS = "scope, name, period, pico_usd, tokens, estimated, warned";
const AT_PLACE = "scope = $1 and name = $2 and period = $3";

/**
 * Adds amounts to places.
 * @param database - database of the guards
 * @param amounts - one for each place
 * @param now - milliseconds since the epoch
 * @returns the new sums, in any order
 */
export async function addSpending(
  database: PluginDatabase,
  amounts: readonly { readonly place: SpendingPlace; readonly spent: Spending }[],
  now: number,
): Promise<readonly StoredSpending[]> {
  const rows = await database.transaction((inside) =>
    insertRows<SpendingRow>(
      inside,
      `insert into spending (${COLUMNS}, updated_at)`,
      amounts.map(({ place: { scope, name, period }, spent: { picoUsd, tokens, estimated } }) => [
        ...[scope, name, period, picoUsd, tokens, estimated],
        ...[0, now],
      ]),
      `on conflict (scope, name, period) do update set pico_usd = spending.pico_usd + excluded.pico_usd,
         tokens = spending.tokens + excluded.tokens, estimated = spending.estimated + excluded.estimated,
         updated_at = excluded.updated_at
       returning ${COLUMNS}`,
    ),
  );
  return rows.map(spendingIn);
}

/**
 * Returns the sum of a place; zero when nothing was spent.
 * @param database - database of the guards
 */
export async function spendingOf(
  database: PluginDatabaseQuery,
  place: SpendingPlace,
): Promise<StoredSpending> {
  const [row] = await database.query<SpendingRow>(
    `select ${COLUMNS} from spending where ${AT_PLACE}`,
    [place.scope, place.name, place.period],
  );
  if (row !== undefined) return spendingIn(row);
  return { ...place, picoUsd: 0n, tokens: 0, estimated: 0, hasWarned: false };
}

/**
 * Notes that a warning was given for a place.
 * @param database - database of the guards
 * @returns false when it was given before
 */
export async function markWarned(
  database: PluginDatabase,
  { scope, name, period }: SpendingPlace,
): Promise<boolean> {
  const rows = await database.query(
    `update spending set warned = 1 where ${AT_PLACE} and warned = 0 returning scope`,
    [scope, name, period],
  );
  return rows.length > 0;
}

/**
 * Returns the sums of a day and of the newest sessions, the largest amounts first.
 * @param database - database of the guards
 * @param day - day as `YYYY-MM-DD`
 */
export async function spendingOn(
  database: PluginDatabaseQuery,
  day: string,
): Promise<readonly StoredSpending[]> {
  const rows = await database.query<SpendingRow>(
    `select ${COLUMNS} from spending where period = $1 order by pico_usd desc, tokens desc limit 50`,
    [day],
  );
  return rows.map(spendingIn);
}

/**
 * Deletes sums that were last changed before a time.
 * @param database - database of the guards
 * @param before - milliseconds since the epoch
 */
export async function pruneSpending(database: PluginDatabaseQuery, before: number): Promise<void> {
  await database.query("delete from spending where updated_at < $1", [before]);
}

function spendingIn({ pico_usd, warned, ...row }: SpendingRow): StoredSpending {
  return {
    scope: row.scope,
    name: row.name,
    period: row.period,
    picoUsd: BigInt(pico_usd),
    tokens: Number(row.tokens),
    estimated: Number(row.estimated),
    hasWarned: Number(warned) === 1,
  };
}
