import { describe, expect, it } from "vitest";
import { MIGRATIONS, TABLE_NAMES, TABLES } from "../src/contexts.js";

describe("contexts of the database", () => {
  it("have migrations that are numbered without gaps across contexts", () => {
    const numbers = MIGRATIONS.map(({ name }) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it("have tables that are listed once and after their dependencies", () => {
    expect(new Set(TABLE_NAMES)).toEqual(new Set(Object.keys(TABLES)));
    for (const [place, table] of TABLE_NAMES.entries()) {
      const before = TABLE_NAMES.slice(0, place);
      expect(before).toEqual(expect.arrayContaining([...(TABLES[table].dependsOn ?? [])]));
      expect(before).not.toContain(table);
    }
  });
});
