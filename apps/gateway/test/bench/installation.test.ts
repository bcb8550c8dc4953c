import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/installation.json", import.meta.url);
const recorded = recordedBenchmark(file);

// Written by `node scripts/rehearse-release.mjs --record`.
describe("an installation of openclaw with production dependencies", () => {
  it.each([
    ["takes at most 200 MB", "size", "MB", 200],
    ["has at most 200 packages", "packages", "packages", 200],
    ["has no package with an install script", "packages with install scripts", "packages", 0],
  ])("[SCALE-041] %s", (_title, metric, unit, goal) => {
    const bench = "installation with production dependencies";
    const figure = recordedFigure(recorded, bench, metric);
    expect(figure).toMatchObject({ unit, goal });
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
