import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/soak.json", import.meta.url);

// Written by `node apps/e2e/bench/soak.mjs --minutes 20 --record`; until then nothing is known.
describe.runIf(existsSync(file))("the recorded soak", () => {
  const figure = (metric: string) => recordedFigure(recordedBenchmark(file), "soak", metric);

  it("[SCALE-032] lasted 20 minutes, with everything that a gateway meets", () => {
    expect(figure("time").value).toBeGreaterThanOrEqual(20);
    expect(figure("share of the busiest rate").value).toBeGreaterThanOrEqual(29);
    for (const [metric, least] of [
      ["messages of Telegram", 500],
      ["jobs", 70],
      ["reloads of a plugin", 5],
      ["kills", 1],
      ["jumps of the clock", 2],
    ] as const) {
      expect(figure(metric).value, metric).toBeGreaterThanOrEqual(least);
    }
  });

  it.each([
    ["lost, doubled or failed", 0],
    ["growth of the heap", 1],
    ["growth of files", 2],
    ["growth of timers", 5],
  ])("[SCALE-032] %s is at most %d", (metric, goal) => {
    expect(figure(metric).goal).toBe(goal);
    expect(figure(metric).value).toBeLessThanOrEqual(goal);
  });
});
