import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const load = recordedBenchmark(new URL("../../bench/recorded/load.json", import.meta.url));
const reload = recordedBenchmark(new URL("../../bench/recorded/reload.json", import.meta.url));
const WARM = "load 50 two-file TypeScript plugins, warm compile cache";

// Written by `pnpm bench --record plugin-runtime` on a machine without other work.
describe("the recorded cost of plugins", () => {
  it.each([
    ["load 50 two-file JavaScript plugins", 4.5],
    [WARM, 5],
    [`${WARM}, from start to end`, 100],
    ["load 50 two-file TypeScript plugins through jiti, warm cache", 7],
    ["load 50 two-file TypeScript plugins without any cache", 8],
  ])("[PLUG-057] [SCALE-038] %s: at most %d", (bench, goal) => {
    const figure = recordedFigure(load, bench, "time");
    expect(figure.goal).toBe(goal);
    expect(figure.value).toBeLessThanOrEqual(goal);
  });

  it("[PLUG-058] 50 plugins with their runtime need at most 2.1 times the memory of a plain import", () => {
    const figure = recordedFigure(load, "50 JavaScript plugins", "memory");
    expect(figure).toMatchObject({ unit: "ratio", goal: 2.1 });
    expect(figure.value).toBeLessThanOrEqual(2.1);
  });

  it("[SCALE-038] a disabled plugin costs at most one millisecond", () => {
    const figure = recordedFigure(load, "one disabled plugin", "time");
    expect(figure).toMatchObject({ unit: "ms", goal: 1 });
    expect(figure.value).toBeLessThanOrEqual(1);
  });

  it.each([
    ["reload one two-file .mjs plugin of 50, without its register", "time", 5],
    ["reload one two-file .ts plugin of 50, without its register", "time", 5],
    ["reload one two-file .mjs plugin of 50, kept for each", "memory", 256],
    ["reload one two-file .ts plugin of 50, kept for each", "memory", 256],
  ])("[PLUG-058] %s: %s is at most %d", (bench, metric, goal) => {
    const figure = recordedFigure(reload, bench, metric);
    expect(figure.goal).toBe(goal);
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
