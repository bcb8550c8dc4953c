import { randomUUID } from "node:crypto";
import { moveTestData, openTestStore } from "@openclaw/plugin-testkit";
import { expect, inject, it, onTestFinished } from "vitest";
import { DATABASE, guardrailsData } from "../../src/migrations.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of the project `postgres`. */
    postgresUrl?: string;
  }
}

async function opened(place: Parameters<typeof openTestStore>[0]) {
  const found = await openTestStore(place);
  onTestFinished(() => found.close());
  return found;
}

it("[SCALE-643] the tables of the guards move to PostgreSQL and back with every row", async () => {
  const first = await opened({});
  const database = await first.store.database(DATABASE);
  const statements = [
    "insert into counters values ('spam', 1, 2, 3, 4)",
    "insert into rate_hits values ('a', 'user:1', 1788000000000)",
    `insert into audit_entries values
      (1, 1788000000000, 'tool', null, 'user:1', 'write', null, 'allowed', '', 'h1'),
      (2, 1788000000001, 'tool', 'agent:main:main', null, null, 'd', 'denied', 'h1', 'h2')`,
    "insert into spending values ('sender', 'user:1', '2026-11', 9007199254740993, 12, 0, 1, 1788000000000)",
  ];
  for (const statement of statements) await database.query(statement);
  const second = await opened({ url: `${inject("postgresUrl")}?schema=test_${randomUUID()}` });
  const third = await opened({});
  const equal = { isEqual: true };
  const tables = [
    { table: "counters", rows: 1, ...equal },
    { table: "rate_hits", rows: 1, ...equal },
    { table: "audit_entries", rows: 2, ...equal },
    { table: "spending", rows: 1, ...equal },
  ];
  expect(await moveTestData(guardrailsData, { from: first, to: second })).toEqual(tables);
  expect(await moveTestData(guardrailsData, { from: second, to: third })).toEqual(tables);
  const [spending] = await (await third.store.database(DATABASE)).query("select * from spending");
  expect(spending).toMatchObject({ pico_usd: 9_007_199_254_740_993n, warned: 1 });
});
