import { describe, expect, it } from "vitest";
import {
  type RecordedBenchmark,
  type RecordedFigure,
  reachesGoal,
  recordedFigure,
} from "../src/testing/index.js";

const figure = (overrides: Partial<RecordedFigure>): RecordedFigure => ({
  package: "package",
  bench: "load",
  metric: "time",
  value: 2,
  unit: "ms",
  n: 10,
  better: "lower",
  ...overrides,
});

describe("a recorded benchmark", () => {
  it("has each result once", () => {
    const machine = { cpu: "cpu", cores: 2, memoryGiB: 4, node: "v24.0.0" };
    const results = [figure({}), figure({ metric: "memory" }), figure({ metric: "memory" })];
    const benchmark: RecordedBenchmark = { recorded: "2026-01-01", machine, results };
    expect(recordedFigure(benchmark, "load", "time")).toBe(results[0]);
    expect(() => recordedFigure(benchmark, "load", "speed")).toThrow("got 0");
    expect(() => recordedFigure(benchmark, "load", "memory")).toThrow("got 2");
  });

  it("reaches a goal in the direction that is better", () => {
    expect(reachesGoal(figure({ goal: 2 }))).toBe(true);
    expect(reachesGoal(figure({ goal: 1.9 }))).toBe(false);
    expect(reachesGoal(figure({ goal: 2.1, better: "higher" }))).toBe(false);
    expect(reachesGoal(figure({}))).toBeUndefined();
  });
});
