import BetterSqlite from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { TABLE_NAMES, TABLES } from "../../src/contexts.js";
import { type DatabasePlace, databasePlace } from "../../src/engine/database-url.js";
import { openStore } from "../../src/index.js";
import { copyDatabase, countDatabase } from "../../src/upkeep/copy.js";
import { startChild } from "../support/child-process.js";
import { runBeside } from "../support/database-beside.js";
import { filledFile } from "../support/filled-file.js";
import { FILLED_ROWS } from "../support/filled-rows.js";
import { inbound, newDatabase, newFile, openTestStore } from "../support/open-store.js";

/** Returns an empty place of the engine under test. */
function emptyPlace(): DatabasePlace {
  const place = newDatabase();
  return "url" in place ? databasePlace(place.url) : { engine: "sqlite", file: place.file };
}

function rowsOf(file: string): Record<string, unknown[]> {
  const database = new BetterSqlite(file, { readonly: true });
  const rows = TABLE_NAMES.map((table) => {
    const key = TABLES[table].key.join(", ");
    return [table, database.prepare(`select * from ${table} order by ${key}`).all()];
  });
  database.close();
  return Object.fromEntries(rows);
}

describe("TABLE_NAMES", () => {
  it("contains every table that the migrations create, with its key", async () => {
    const { file } = await filledFile();
    const database = new BetterSqlite(file, { readonly: true });
    const made = database
      .prepare<[], string>("select name from sqlite_schema where type = 'table'")
      .pluck()
      .all()
      .filter((name) => !["migrations", "database_notes"].includes(name));
    const keys = made.map((table) => [
      table,
      database
        .prepare<[], string>(
          `select name from pragma_table_info('${table}') where pk > 0 order by pk`,
        )
        .pluck()
        .all(),
    ]);
    database.close();
    expect(Object.fromEntries(keys)).toEqual(
      Object.fromEntries(Object.entries(TABLES).map(([table, { key }]) => [table, key])),
    );
  });

  it("lists tables after those that their rows refer to", async () => {
    const { file } = await filledFile();
    const database = new BetterSqlite(file, { readonly: true });
    for (const [place, table] of TABLE_NAMES.entries()) {
      const named = database
        .prepare<[], string>(`select "table" from pragma_foreign_key_list('${table}')`)
        .pluck()
        .all();
      const before: readonly string[] = TABLE_NAMES.slice(0, place);
      for (const other of named) expect(before).toContain(other);
    }
    database.close();
  });
});

describe("copyDatabase", () => {
  let source: { engine: "sqlite"; file: string };
  beforeAll(() => {
    for (const rows of Object.values(FILLED_ROWS)) expect(rows.length).toBeGreaterThan(0);
  });

  it("[SCALE-026] copies every row of every table, and leaves the source unchanged", async () => {
    source = await filledFile();
    const before = rowsOf(source.file);
    const compared = await copyDatabase({ from: source, to: emptyPlace(), batch: 2 });
    expect(compared.map(({ table }) => table)).toEqual(TABLE_NAMES);
    for (const { table, source: content, target, isEqual } of compared) {
      expect({ table, isEqual, rows: target.rows }).toEqual({
        table,
        isEqual: true,
        rows: FILLED_ROWS[table].length,
      });
      expect(target.checksum).toBe(content.checksum);
    }
    expect(rowsOf(source.file)).toEqual(before);
  });

  it("copies the same rows again from a copy", async () => {
    source = await filledFile();
    const middle = emptyPlace();
    const end = { engine: "sqlite", file: newFile() } as const;
    await copyDatabase({ from: source, to: middle });
    await copyDatabase({ from: middle, to: end });
    expect(rowsOf(end.file)).toEqual(rowsOf(source.file));
  });

  it("creates a database that can be opened and written, and continues the row numbers", async () => {
    source = await filledFile();
    const place = newDatabase();
    const to =
      "url" in place ? databasePlace(place.url) : ({ engine: "sqlite", ...place } as const);
    await copyDatabase({ from: source, to });
    const store = await openTestStore(place);
    await store.messages.inbox.accept(inbound({ id: "after" }));
    const received = (await store.messages.inbox.inState("received")).map(({ id }) => id);
    expect(received).toEqual(["one", "two", "three", "after"]);
  });

  it("[SCALE-026] [SCALE-642] resumes after an interruption between any two transactions", async () => {
    source = await filledFile();
    const to = emptyPlace();
    let done = 0;
    for (let round = 1; ; round += 1) {
      let written = 0;
      const copying = copyDatabase({
        from: source,
        to,
        batch: 2,
        onProgress: () => {
          written += 1;
          if (written === 2) throw new Error("cut off");
        },
      });
      const compared = await copying.catch((error: Error) => {
        if (error.message !== "cut off") throw error;
        return undefined;
      });
      done += written;
      if (compared === undefined) continue;
      expect(round).toBeGreaterThan(5);
      expect(compared.every(({ isEqual }) => isEqual)).toBe(true);
      break;
    }
    // No batch was written twice.
    const batches = TABLE_NAMES.map((table) => Math.ceil(FILLED_ROWS[table].length / 2));
    expect(done).toBe(batches.reduce((sum, count) => sum + count));
  });

  it("[SCALE-026] resumes after kill -9", async () => {
    source = await filledFile();
    const place = newDatabase();
    const child = startChild("copy-slowly.mjs", source.file, JSON.stringify(place));
    expect(await child.line()).toBe("copied");
    await child.kill();
    const to =
      "url" in place ? databasePlace(place.url) : ({ engine: "sqlite", ...place } as const);
    await expect(openStore(place)).rejects.toMatchObject({
      code: "DATABASE_INCOMPLETE",
      source: source.file,
    });
    const compared = await copyDatabase({ from: source, to });
    expect(compared.every(({ isEqual }) => isEqual)).toBe(true);
    await (await openStore(place)).close();
  });

  it("[SCALE-026] reports the tables that differ", async () => {
    source = await filledFile();
    const place = newDatabase();
    const to =
      "url" in place ? databasePlace(place.url) : ({ engine: "sqlite", ...place } as const);
    const cut = copyDatabase({
      from: source,
      to,
      onProgress: ({ table }) => {
        if (table === "journal") throw new Error("cut off");
      },
    });
    await expect(cut).rejects.toThrow("cut off");
    await runBeside(
      place,
      "update sessions set label = 'changed' where session_key = 'session one'",
    );
    const compared = await copyDatabase({ from: source, to });
    const different = compared.filter(({ isEqual }) => !isEqual);
    expect(different).toMatchObject([
      { table: "sessions", source: { rows: 4 }, target: { rows: 4 } },
    ]);
    await expect(openStore(place)).rejects.toThrow("incomplete");
  });

  it("rejects a target with other rows or another copy", async () => {
    source = await filledFile();
    const used = newDatabase();
    const store = await openTestStore(used);
    await store.messages.inbox.accept(inbound());
    await store.close();
    const to = "url" in used ? databasePlace(used.url) : ({ engine: "sqlite", ...used } as const);
    const copying = copyDatabase({ from: source, to });
    await expect(copying).rejects.toMatchObject({ code: "COPY_REFUSED" });
    await expect(copying).rejects.toThrow("it already has rows in inbox; use an empty database");

    const half = emptyPlace();
    const cut = () => {
      throw new Error("cut off");
    };
    await expect(copyDatabase({ from: source, to: half, onProgress: cut })).rejects.toThrow();
    const other = copyDatabase({ from: await filledFile(), to: half });
    await expect(other).rejects.toThrow(`incomplete copy from ${source.file}`);
    await expect(copyDatabase({ from: source, to: source })).rejects.toThrow(
      "the source and the target are the same",
    );
  });

  it("rejects a source that does not exist or has a different schema", async () => {
    const missing = { engine: "sqlite", file: newFile() } as const;
    await expect(copyDatabase({ from: missing, to: emptyPlace() })).rejects.toThrow(
      "the file does not exist",
    );
    source = await filledFile();
    await runBeside({ file: source.file }, "delete from migrations where name like '0014%'");
    await expect(countDatabase(source)).rejects.toThrow(
      "migration 0014-approval-commands is pending",
    );
  });

  it("counts the rows without writing", async () => {
    source = await filledFile();
    expect(await countDatabase(source)).toEqual(
      TABLE_NAMES.map((table) => ({ table, rows: FILLED_ROWS[table].length })),
    );
  });
});
