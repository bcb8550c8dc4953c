import { describe, expect, it, onTestFinished, vi } from "vitest";
import { auditLogger } from "../../src/audit-log/guard.js";
import { costTracker } from "../../src/cost/guard.js";
import { DATABASE } from "../../src/migrations.js";
import { rateLimitGuard } from "../../src/rate-limit/guard.js";
import { insertRows } from "../../src/storage/rows.js";
import { WriteBehind } from "../../src/storage/write-behind.js";
import { installGuard, temporaryStore } from "../support/installed-guard.js";
import { GUEST_CONTEXT } from "../support/open-host.js";

const NOON = Date.UTC(2026, 10, 23, 12);
const openDatabase = (store: Awaited<ReturnType<typeof temporaryStore>>) =>
  store.database(DATABASE);

describe("writing behind the turn", () => {
  it("runs a write once for all calls until then, and after the one in progress", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const writeBehind = new WriteBehind();
    const order: string[] = [];
    const first = async () => {
      order.push("first begins");
      await Promise.resolve();
      order.push("first ends");
    };
    const second = async () => void order.push("second");
    for (let count = 0; count < 3; count += 1) writeBehind.schedule(first);
    expect(order).toEqual([]);
    vi.advanceTimersByTime(200);
    writeBehind.schedule(second);
    await writeBehind.flush();
    expect(order).toEqual(["first begins", "first ends", "second"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("inserts any number of rows in order, with few statements", async () => {
    const database = await openDatabase(await temporaryStore());
    const statements = new Set<string>();
    const counting: Pick<typeof database, "query"> = {
      query(sql, params) {
        statements.add(sql);
        return database.query(sql, params);
      },
    };
    for (const count of [0, 1, 3, 85, 200]) {
      const rows = Array.from({ length: count }, (_, at) => [`${count}-${at}`, "key", at]);
      await insertRows(counting, "insert into rate_hits (id, limit_key, hit_at)", rows);
      const stored = await database.query<{ id: string }>(
        "select id from rate_hits where id like $1 order by hit_at",
        [`${count}-%`],
      );
      expect(stored.map(({ id }) => id)).toEqual(rows.map(([id]) => id));
    }
    expect(statements.size).toBeLessThanOrEqual(4);
  });

  it("[DHOOK-048] writes nothing during a turn, and everything when the guards end", async () => {
    for (const [guard, table] of [
      [auditLogger, "audit_entries"],
      [rateLimitGuard, "rate_hits"],
      [costTracker, "spending"],
    ] as const) {
      const store = await temporaryStore();
      const database = await openDatabase(store);
      const transaction = vi.spyOn(database, "transaction");
      const shared = { ...store, kv: store.kv, database: async () => database };
      const installed = await installGuard(guard, true, { now: NOON, store: shared });
      for (let turn = 0; turn < 5; turn += 1) {
        await installed.fire("message_receiving", { content: "hi" }, GUEST_CONTEXT);
        await installed.fire("llm_output", { usage: { total: 5 } }, GUEST_CONTEXT);
      }
      expect(transaction).not.toHaveBeenCalled();
      await installed.dispose();
      expect(transaction).toHaveBeenCalledTimes(1);
      const [row] = await database.query<{ count: number }>(
        `select count(*) as count from ${table}`,
      );
      expect(Number(row?.count)).toBeGreaterThanOrEqual(3);
    }
  });
});
