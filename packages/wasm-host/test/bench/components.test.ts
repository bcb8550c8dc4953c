import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Figure {
  readonly metric: string;
  readonly value: number;
  readonly goal: number;
}

const file = new URL("../../bench/recorded/components.json", import.meta.url);
const { results }: { results: readonly Figure[] } = JSON.parse(readFileSync(file, "utf8"));

// Written by `pnpm bench --record components`.
describe("components", () => {
  it.each([
    ["counted fuel, tight loop", 1.3],
    ["counted fuel, hash of memory", 1.3],
    ["counted fuel, recursion", 1.3],
    ["counted fuel, branches", 1.3],
    ["counted fuel, matrix of floats", 1.3],
    ["call in a new worker", 400],
    ["call in a warm worker, median", 5],
    ["memory of 50 idle tools", 10],
    ["runaway after its limit, longest", 100],
  ])("[WASM-510] %s: at most %d", (metric, goal) => {
    const figure = results.find((each) => each.metric === metric);
    expect(figure?.goal).toBe(goal);
    expect(figure?.value).toBeLessThanOrEqual(goal);
  });
});
