// Writes the databases of a release, each with rows in every table, as tests of later releases open them:
//   node --conditions=openclaw-source --import=./test/children/register-sources.mjs test/releases/make.mjs [migration]
// in the folder of the package; without the name of a migration, up to the newest. A release is written once
// and never again.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { escapeIdentifier, escapeLiteral } from "pg";
import { MIGRATIONS, TABLE_NAMES, TABLES } from "../../src/contexts.ts";
import { openEngine } from "../../src/engine/open-engine.ts";
import { migrate } from "../../src/migrations/migrations.ts";
import { FILLED_ROWS } from "../support/filled-rows.ts";
import { startPostgres } from "../support/postgres-server.ts";

const newest = process.argv[2] ?? MIGRATIONS.at(-1).name;
const migrations = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === newest) + 1);
if (migrations.length === 0) throw new Error(`there is no migration ${newest}`);
const folder = new URL(`${newest}/`, import.meta.url);
mkdirSync(folder);

const file = new URL("sqlite.db", folder).pathname;
const sqlite = await filled({ engine: "sqlite", file });
writeFileSync(new URL("rows.json", folder), `${JSON.stringify(sqlite.rows, undefined, 1)}\n`);
await sqlite.unit.close();
for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });

const server = await startPostgres();
const place = { engine: "postgres", connection: server.url, schema: "release", name: "release" };
const postgres = await filled(place);
const statements = migrations.flatMap((migration) => migration.statements(postgres.words));
const all = { migrations: await rowsOf("migrations", postgres), ...postgres.rows };
const inserts = Object.entries(all).flatMap(([table, rows]) => [
  ...(TABLES[table]?.isSeeded ? [`delete from ${table}`] : []),
  ...rows.map((row) => insertOf(table, row)),
]);
const sql = [...createMigrationTable(postgres.words), ...statements, ...inserts].join(";\n");
writeFileSync(new URL("postgres.sql", folder), `${sql};\n`);
await postgres.unit.close();
await server.remove();

/** A database of the release in which every table has rows. */
async function filled(place) {
  const engine = await openEngine(place, { durability: "process", now: () => 1_700_000_000_000 });
  const { unit, words } = engine;
  await migrate(unit, "release", words, migrations);
  const found = await unit.query().introspection.getTables();
  const rows = {};
  for (const table of TABLE_NAMES) {
    const columns = found.find(({ name }) => name === table)?.columns.map(({ name }) => name);
    if (columns === undefined) continue;
    if (TABLES[table].isSeeded) await unit.query().deleteFrom(table).execute();
    for (const row of FILLED_ROWS[table]) {
      const known = Object.entries(row).filter(([column]) => columns.includes(column));
      await unit.query().insertInto(table).values(Object.fromEntries(known)).execute();
    }
    rows[table] = await rowsOf(table, engine);
  }
  return { ...engine, rows };
}

async function rowsOf(table, { unit }) {
  let query = unit.query().selectFrom(table).selectAll();
  for (const column of TABLES[table]?.key ?? ["name"]) query = query.orderBy(column);
  return await query.execute();
}

function createMigrationTable({ integer, text }) {
  return [
    `create table migrations (name ${text} not null primary key, checksum ${text} not null, applied_at ${integer} not null)`,
  ];
}

function insertOf(table, row) {
  const columns = Object.keys(row).map(escapeIdentifier).join(", ");
  const values = Object.values(row).map((value) =>
    typeof value === "string" ? escapeLiteral(value) : String(value),
  );
  return `insert into ${table} (${columns}) values (${values.join(", ")})`;
}
