import { sql } from "kysely";
import { TABLE_NAMES, TABLES } from "../../src/contexts.js";
import { openEngine } from "../../src/engine/open-engine.js";
import { openStore } from "../../src/index.js";
import { FILLED_ROWS } from "./filled-rows.js";
import { newFile } from "./open-store.js";

/** Creates a database file in which every table has rows. */
export async function filledFile(): Promise<{ engine: "sqlite"; file: string }> {
  const file = newFile();
  await (await openStore({ file })).close();
  const { unit } = await openEngine(
    { engine: "sqlite", file },
    { durability: "process", now: Date.now },
  );
  for (const table of TABLE_NAMES) {
    if (TABLES[table].isSeeded) await sql`delete from ${sql.table(table)}`.execute(unit.query());
    for (const row of FILLED_ROWS[table]) {
      await unit.query().insertInto(table).values(row).execute();
    }
  }
  await unit.close();
  return { engine: "sqlite", file };
}
