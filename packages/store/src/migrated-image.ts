import { Kysely } from "kysely";
import { MIGRATIONS } from "./contexts.js";
import type { Schema } from "./database/schema.js";
import { DatabaseUnit } from "./database/unit-of-work.js";
import { IN_MEMORY, SQLITE_SCHEMA } from "./engine/sqlite.js";
import { openSqliteDialect } from "./engine/sqlite-dialect.js";
import { migrate } from "./migrations/migrations.js";

let image: Promise<Buffer> | undefined;

/**
 * Returns the content of a database in memory after all migrations. A process migrates once, because the migrations take
 * thirty times as long as a copy.
 */
export function migratedImage(): Promise<Buffer> {
  image ??= migrateInMemory();
  return image;
}

async function migrateInMemory(): Promise<Buffer> {
  const { dialect, direct, serialize } = await openSqliteDialect(IN_MEMORY, {
    durability: "process",
  });
  const database = new Kysely<Schema>({ dialect });
  const unit = new DatabaseUnit(database, Date.now, async () => Date.now(), direct);
  try {
    await migrate(unit, IN_MEMORY, SQLITE_SCHEMA, MIGRATIONS);
    return serialize();
  } finally {
    await unit.close();
  }
}
