import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const RECORD = new URL("../../bench/recorded/speed.json", import.meta.url);

interface Figure {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly goal?: number;
  readonly better: "lower" | "higher";
}

function figures(): readonly Figure[] {
  return JSON.parse(readFileSync(RECORD, "utf8")).results;
}

// Written by `pnpm bench --record memory` on an idle machine; a checkout without a record has nothing to compare.
describe.skipIf(!existsSync(RECORD))("the recorded speed of memory on SQLite", () => {
  it.each([
    ["10000 chunks", "import with vectors", 2000],
    ["10000 chunks", "memory grown in the second half", 16],
    ["10000 chunks", "search p95", 30],
    ["10000 chunks", "search during import p95", 60],
    ["100000 chunks", "import with vectors", 2000],
    ["100000 chunks", "search p95", 30],
    ["100000 chunks", "recall of 50", 0.99],
  ])("[MEM-056] reaches its goal: %s, %s", (bench, metric, goal) => {
    const figure = figures().find((each) => each.bench === bench && each.metric === metric);
    expect(figure).toMatchObject({ goal });
    const { value = Number.NaN, better } = figure ?? {};
    if (better === "lower") expect(value).toBeLessThanOrEqual(goal);
    else expect(value).toBeGreaterThanOrEqual(goal);
  });
});
