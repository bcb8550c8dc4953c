import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const recorded = recordedBenchmark(new URL("../../bench/recorded/decide.json", import.meta.url));

// Written by `pnpm bench --record tool-policy`.
describe("the recorded benchmark of 1000 rules on seven layers", () => {
  it.each([
    ["a decision takes 1 µs, median", "decide", "median", "µs", 1, 100_000],
    ["a decision takes 10 µs, p99", "decide", "p99", "µs", 10, 100_000],
    ["a compilation takes 20 ms, median", "compile", "median", "ms", 20, 50],
  ])("[POL-040] %s at most", (_title, bench, metric, unit, goal, count) => {
    const figure = recordedFigure(recorded, bench, metric);
    expect(figure).toMatchObject({ unit, goal, better: "lower" });
    expect(figure.n).toBeGreaterThanOrEqual(count);
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
