import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const recorded = recordedBenchmark(new URL("../../bench/recorded/chain.json", import.meta.url));

// Written by `pnpm bench --record models/bench/chain`, in processor time.
describe("the recorded benchmark of model calls", () => {
  it.each([
    ["overhead of a streamed chunk", "µs", 5, 100_000],
    ["overhead of a call", "ms", 0.3, 1000],
    ["choice among 20 models", "µs", 50, 10_000],
  ])("[LLM-042] reaches the goal: %s", (metric, unit, goal, least) => {
    const figure = recordedFigure(recorded, "chain", metric);
    expect(figure).toMatchObject({ unit, goal, better: "lower" });
    expect(figure.n).toBeGreaterThanOrEqual(least);
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
