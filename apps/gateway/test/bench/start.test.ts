import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/start.json", import.meta.url);

// Written by `pnpm bench --record gateway/bench/start` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("start of a gateway with every bundled extension", () => {
  it.each([
    ["first start", "start to /readyz", 2000, 1],
    ["warm restart", "start to /readyz, median", 700, 20],
    ["warm restart", "CPU until ready, median", 1000, 20],
  ])("[SCALE-036] [GW-052] %s: %s takes at most %i ms", (bench, metric, goal, n) => {
    const figure = recordedFigure(recordedBenchmark(file), bench, metric);
    expect(figure).toMatchObject({ unit: "ms", goal, n });
    expect(figure.value).toBeLessThanOrEqual(goal);
  });

  it("[SCALE-037] [GW-052] needs at most 140 MiB of memory 5 s after it is ready", () => {
    const figure = recordedFigure(
      recordedBenchmark(file),
      "idle",
      "resident memory 5 s after ready",
    );
    expect(figure).toMatchObject({ unit: "MiB", goal: 140 });
    expect(figure.value).toBeLessThanOrEqual(140);
  });
});
