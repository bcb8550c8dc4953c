import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Figure {
  readonly metric: string;
  readonly value: number;
  readonly goal: number;
}

const file = new URL("../../bench/recorded/isolation.json", import.meta.url);
const { results }: { results: readonly Figure[] } = JSON.parse(readFileSync(file, "utf8"));

// Written by `pnpm bench --record isolation`.
describe("isolated plugins", () => {
  it.each([
    ["worker: hook call, median", 0.2],
    ["process: hook call, median", 0.4],
    ["worker: spinning, noticed", 3000],
    ["worker: spinning, ended after that", 100],
    ["process: spinning, noticed", 3000],
    ["process: spinning, ended after that", 100],
    ["worker: memory of ten plugins", 150],
    ["process: memory of ten plugins", 450],
  ])("[PLUG-500] %s: at most %d", (metric, goal) => {
    const figure = results.find((each) => each.metric === metric);
    expect(figure?.goal).toBe(goal);
    expect(figure?.value).toBeLessThanOrEqual(goal);
  });
});
