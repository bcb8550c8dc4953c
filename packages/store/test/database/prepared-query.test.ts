import { Kysely, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { preparedQuery } from "../../src/database/prepared-query.js";
import type { Schema } from "../../src/database/schema.js";
import { DatabaseUnit } from "../../src/database/unit-of-work.js";
import { IN_MEMORY, openSqlite } from "../../src/engine/sqlite.js";
import { sqliteDialect } from "../../src/engine/sqlite-dialect.js";

/** Opens a new database with the part of a table that the test needs. */
async function openUnit(): Promise<DatabaseUnit> {
  const dialect = sqliteDialect(openSqlite(IN_MEMORY, "process"), IN_MEMORY);
  const unit = new DatabaseUnit(new Kysely<Schema>({ dialect }), () => 0);
  onTestFinished(() => unit.close());
  await sql`create table token_totals (scope text, id text, tokens integer, cost integer)`.execute(
    unit.query(),
  );
  return unit;
}

let built = 0;
const add = preparedQuery<{ id: string; tokens: number }, { scope: string; tokens: number }>(
  (query, parameter) => {
    built += 1;
    return query
      .insertInto("token_totals")
      .values({
        scope: sql<string>`${parameter("id")} || '/' || ${"fixed"} || '/' || ${parameter("id")}`,
        id: parameter("id"),
        tokens: parameter("tokens"),
        cost: 0,
      })
      .returning(["scope", "tokens"]);
  },
);

it("binds each parameter in all its positions and keeps literals", async () => {
  const unit = await openUnit();
  expect(await add(unit, { tokens: 7, id: "a" })).toEqual([{ scope: "a/fixed/a", tokens: 7 }]);
  expect(await add(unit, { id: "b", tokens: 8 })).toEqual([{ scope: "b/fixed/b", tokens: 8 }]);
});

it("builds a query once per database, inside and outside of transactions", async () => {
  const [one, other] = [await openUnit(), await openUnit()];
  built = 0;
  await one.atomic((unit) => add(unit, { id: "a", tokens: 1 }));
  await add(one, { id: "b", tokens: 2 });
  expect(built).toBe(1);
  await add(other, { id: "c", tokens: 3 });
  expect(built).toBe(2);
});

it("is rolled back with its transaction", async () => {
  const unit = await openUnit();
  const undone = unit.atomic(async (inside) => {
    await add(inside, { id: "a", tokens: 1 });
    throw new Error("undo");
  });
  await expect(undone).rejects.toThrow("undo");
  expect(await unit.query().selectFrom("token_totals").selectAll().execute()).toEqual([]);
});
