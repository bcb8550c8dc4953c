import { readFileSync } from "node:fs";
import { recordedBenchmark } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { RATIO, regressions } from "../../bench/wire/regression.js";

const POWER = "8 turns at once, durability power";
const figure = (value: number, bench = POWER) => ({ bench, metric: RATIO, value });

describe("the check of turns over HTTP", () => {
  it("[GW-310] fails when turns are more than a tenth slower than recorded, as a ratio to the floor", () => {
    expect(regressions([figure(0.0451)], [figure(0.05)])).toEqual([]);
    expect(regressions([figure(0.09)], [figure(0.05)])).toEqual([]);
    expect(regressions([figure(0.0449)], [figure(0.05)])).toEqual([
      `${POWER}: 0.0449 of the floor, recorded 0.05, allowed 0.045`,
    ]);
    const slow = regressions(
      [figure(0.01), figure(0.01, "other")],
      [figure(1), figure(1, "other")],
    );
    expect(slow).toHaveLength(2);
  });

  it("[GW-310] fails when a ratio was never recorded", () => {
    expect(() => regressions([figure(1)], [figure(1, "other")])).toThrow(
      "pnpm bench --record wire-turn",
    );
  });

  it("[GW-310] is part of bench:check, and has a recorded ratio for each durability", () => {
    const { results } = recordedBenchmark(
      new URL("../../bench/recorded/wire-turn.json", import.meta.url),
    );
    for (const durability of ["power", "process"]) {
      const bench = `8 turns at once, durability ${durability}`;
      expect(regressions([figure(1, bench)], results)).toEqual([]);
    }
    const { scripts } = JSON.parse(
      readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
    );
    expect(scripts["bench:check"]).toContain("wire-turn.bench.mjs --check");
  });
});
