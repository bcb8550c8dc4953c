import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/routines.json", import.meta.url);
const BENCH = "10000 routines";

// Written by `pnpm bench --record gateway/bench/routines` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("the recorded benchmark of 10,000 routines", () => {
  it.each([
    ["processor time of a look", 5],
    ["memory", 10],
    ["longest delay of a due run", 1000],
  ] as const)("[JOB-514] meets the goal of its %s", (metric, goal) => {
    const figure = recordedFigure(recordedBenchmark(file), BENCH, metric);
    expect(figure.goal).toBe(goal);
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
