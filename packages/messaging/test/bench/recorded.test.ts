import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const recorded = recordedBenchmark(new URL("../../bench/recorded/parse.json", import.meta.url));

// Written by `pnpm bench --record messaging`.
describe("the recorded benchmark of the parser", () => {
  it("[SUB-049] reads 100,000 submissions a second at least", () => {
    const figure = recordedFigure(recorded, "parse", "submissions a second");
    expect(figure).toMatchObject({ unit: "/s", goal: 100_000, better: "higher" });
    expect(figure.n).toBeGreaterThanOrEqual(1_000_000);
    expect(figure.value).toBeGreaterThanOrEqual(figure.goal ?? Number.POSITIVE_INFINITY);
  });
});
