import { databaseData } from "@openclaw/plugin-sdk/store";
import { expect, it, onTestFinished } from "vitest";
import { moveTestData, openTestStore } from "../src/index.js";

async function opened() {
  const found = await openTestStore();
  onTestFinished(() => found.close());
  return found;
}

function notes(create: string, more: Partial<Parameters<typeof databaseData>[0]> = {}) {
  const migrations = [{ id: "notes", sqlite: create, postgres: create }];
  return { name: "notes", migrations, tables: ["notes"], ...more };
}

it("[SDK-642] moves the data of a plugin between two stores, and compares both", async () => {
  const data = notes("create table notes (id text primary key, text text)");
  const [from, to] = [await opened(), await opened()];
  const database = await from.store.database(data);
  await database.query("insert into notes values ('a', 'one'), ('b', null)");
  const port = databaseData(data);
  expect(await moveTestData(port, { from, to })).toEqual([
    { table: "notes", rows: 2, isEqual: true },
  ]);
  const losing = {
    ...port,
    async importData() {
      await (await (await opened()).store.database(data)).query("select 1");
    },
  };
  expect(await moveTestData(losing, { from, to: await opened() })).toEqual([
    { table: "notes", rows: 2, isEqual: false },
  ]);
});

it.each([
  ["a table without a key", notes("create table notes (text text)"), /has no primary key/],
  [
    "a table that does not exist",
    notes("create table notes (id text primary key)", { tables: ["notes", "nots"] }),
    /"nots" cannot be moved: the migrations do not create it/,
  ],
  [
    "a table that is not named",
    notes("create table notes (id text primary key)", { tables: [] }),
    /"notes" cannot be moved: it is neither in `tables` nor in `derived`/,
  ],
  [
    "rows whose key is null",
    notes("create table notes (id text primary key, text text)"),
    /600 rows, of which 500 have a key/,
  ],
])("[SDK-641] names %s", async (_case, data, message) => {
  const [from, to] = [await opened(), await opened()];
  const database = await from.store.database(data);
  if (data.migrations[0]?.sqlite.includes("id text primary key, text")) {
    await database.query(
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < 600) insert into notes select null, 'x' from n",
    );
  }
  await expect(moveTestData(databaseData(data), { from, to })).rejects.toThrow(message);
});
