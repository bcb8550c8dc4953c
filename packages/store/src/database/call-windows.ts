import { sql } from "kysely";
import type { UnitOfWork } from "./unit-of-work.js";

/** Calls of the last time, counted for all nodes of a database together (SCALE-018). */
export interface CallWindows {
  /**
   * Counts a call, unless as many as allowed were made in the last time. The database's clock decides, and of calls at the
   * same time on any nodes only as many as allowed are counted.
   * @param key - name of the counted calls, for example of a tool and its agent
   * @param limit - number of calls, from 1
   * @param windowMs - length of the time
   * @returns milliseconds until a call is allowed again; 0 if this one is counted
   */
  take(key: string, limit: number, windowMs: number): Promise<number>;
}

/** The counts of a PostgreSQL database; a host that has its database alone counts in memory. */
export class CallWindowTable implements CallWindows {
  readonly #unit: UnitOfWork;

  /** @param unit - the database */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async take(key: string, limit: number, windowMs: number): Promise<number> {
    // One statement, whose row lock lets nodes count one after another; as a selection it is not one of the writers.
    const { rows } = await sql<{ taken: string | number; at: string | number }>`
      with clock as materialized (
        select (extract(epoch from clock_timestamp()) * 1000)::bigint as at
      ), taken as (
        insert into call_windows as counted (window_key, times, expires_at)
        select ${key}, '[' || at || ']', at + ${windowMs}::bigint from clock
        on conflict (window_key) do update set
          times = (
            select '[' || string_agg(each, ',') || ']' from (
              select value as each from jsonb_array_elements_text(counted.times::jsonb)
                where value::bigint > (select at from clock) - ${windowMs}::bigint
              union all select at::text from clock
            ) as kept
          ),
          expires_at = (select at from clock) + ${windowMs}::bigint
        where (
          select count(*) from jsonb_array_elements_text(counted.times::jsonb)
            where value::bigint > (select at from clock) - ${windowMs}::bigint
        ) < ${limit}::bigint
        returning 1
      )
      select (select count(*) from taken) as taken, at from clock`.execute(this.#unit.query());
    const [row] = rows;
    if (row === undefined || Number(row.taken) > 0) return 0;
    return Math.max(
      1,
      (await this.#oldest(key, Number(row.at) - windowMs)) + windowMs - Number(row.at),
    );
  }

  /** Time of the oldest call that is counted. */
  async #oldest(key: string, after: number): Promise<number> {
    const row = await this.#unit
      .query()
      .selectFrom("call_windows")
      .select("times")
      .where("window_key", "=", key)
      .executeTakeFirst();
    const times: unknown = JSON.parse(row?.times ?? "[]");
    const counted = (Array.isArray(times) ? times : []).map(Number).filter((at) => at > after);
    return Math.min(...counted, Number.MAX_SAFE_INTEGER) === Number.MAX_SAFE_INTEGER
      ? after
      : Math.min(...counted);
  }
}

/** Removes the counts of calls that no limit counts any more. */
export async function removeOldWindows(unit: UnitOfWork): Promise<void> {
  const now = await unit.clock();
  await unit.query().deleteFrom("call_windows").where("expires_at", "<", now).execute();
}
