import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MIGRATIONS, TABLE_NAMES, TABLES } from "../src/contexts.js";
import { openStore, type StorePlace } from "../src/index.js";
import { runBeside } from "./support/database-beside.js";
import { fileOf, newDatabase } from "./support/open-store.js";

const FOLDER = new URL("releases/", import.meta.url);
const RELEASES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Returns a database as a release left it; each is named after its newest migration. */
async function databaseOf(release: string): Promise<StorePlace> {
  const place = newDatabase();
  const file = fileOf(place);
  if (file !== undefined) {
    copyFileSync(new URL(`${release}/sqlite.db`, FOLDER), file);
    return place;
  }
  const schema = "url" in place && new URL(place.url).searchParams.get("schema");
  await runBeside(place, `create schema "${schema}"`);
  await runBeside(place, readFileSync(new URL(`${release}/postgres.sql`, FOLDER), "utf8"));
  return place;
}

describe.each(RELEASES)("database of release %s", (release) => {
  it("[SCALE-043] is migrated to the newest schema with every row", async () => {
    const rows: Rows = JSON.parse(readFileSync(new URL(`${release}/rows.json`, FOLDER), "utf8"));
    const place = await databaseOf(release);
    const store = await openStore(place);
    expect((await store.migrations()).map(({ name }) => name)).toEqual(
      MIGRATIONS.map(({ name }) => name),
    );
    await store.check();
    await store.close();
    for (const table of TABLE_NAMES) {
      const before = rows[table];
      if (before === undefined) continue;
      const columns = Object.keys(before[0] ?? {}).join(", ");
      const order = TABLES[table].key.join(", ");
      const after = await runBeside(place, `select ${columns} from ${table} order by ${order}`);
      expect(after, table).toEqual(before);
    }
  });
});

describe("release databases", () => {
  it("[SCALE-043] have rows in every table of their schema", () => {
    expect(RELEASES.length).toBeGreaterThan(0);
    for (const release of RELEASES) {
      const rows: Rows = JSON.parse(readFileSync(new URL(`${release}/rows.json`, FOLDER), "utf8"));
      for (const [table, found] of Object.entries(rows)) expect(found, table).not.toEqual([]);
    }
  });
});
