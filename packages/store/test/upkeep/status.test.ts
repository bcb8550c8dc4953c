import { existsSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/contexts.js";
import { openStore } from "../../src/index.js";
import { type DatabasePlace, databasePlace, databaseStatus } from "../../src/upkeep.js";
import { runBeside, tablesOf } from "../support/database-beside.js";
import { newDatabase, newFile, openTestStore, START } from "../support/open-store.js";

function placeOf(place: ReturnType<typeof newDatabase>): DatabasePlace {
  return "url" in place ? databasePlace(place.url) : { engine: "sqlite", file: place.file };
}

describe("databaseStatus", () => {
  it("[SCALE-025] lists every migration with the time it was applied, while a host has it open", async () => {
    const place = newDatabase();
    await openTestStore({ ...place, now: () => START });
    const { exists, migrations, copyingFrom } = await databaseStatus(placeOf(place));
    expect(exists).toBe(true);
    expect(copyingFrom).toBeUndefined();
    expect(migrations).toEqual(
      MIGRATIONS.map(({ name }) => ({ name, state: "applied", appliedAt: START })),
    );
  });

  it("[SCALE-025] distinguishes pending, changed and unknown migrations, and changes nothing", async () => {
    const place = newDatabase();
    await (await openStore(place)).close();
    const last = MIGRATIONS.at(-1)?.name ?? "";
    await runBeside(place, `delete from migrations where name = '${last}'`);
    await runBeside(place, "update migrations set checksum = 'x' where name = '0001-initial'");
    await runBeside(place, "insert into migrations values ('9999-later', 'abc', 5)");
    const { migrations } = await databaseStatus(placeOf(place));
    expect(migrations.filter(({ state }) => state !== "applied")).toEqual([
      { name: "0001-initial", state: "changed", appliedAt: expect.any(Number) },
      { name: last, state: "pending" },
      { name: "9999-later", state: "unknown", appliedAt: 5 },
    ]);
  });

  it("lists everything as pending for an empty database, and leaves it empty", async () => {
    const place = newDatabase();
    const { exists, migrations } = await databaseStatus(placeOf(place));
    expect(exists).toBe(false);
    expect(migrations.map(({ state }) => state)).toEqual(MIGRATIONS.map(() => "pending"));
    if ("file" in place) expect(existsSync(place.file)).toBe(false);
    else expect(await tablesOf(place)).toEqual([]);
  });

  it("returns the size of a file", async () => {
    const file = newFile();
    await (await openStore({ file })).close();
    const { dialect, name, bytes } = await databaseStatus({ engine: "sqlite", file });
    expect({ dialect, name }).toEqual({ dialect: "sqlite", name: file });
    expect(bytes).toBe(statSync(file).size);
  });
});
