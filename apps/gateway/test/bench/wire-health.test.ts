import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";

const recorded = recordedBenchmark(
  new URL("../../bench/recorded/wire-health.json", import.meta.url),
);
const BENCH = "health check under full load";

// Written by `pnpm bench --record wire-health`.
it("[GW-031] /healthz answers within 50 ms (p99) under full load: 1,000 clients and 200 turns per second", () => {
  const answered = recordedFigure(recorded, BENCH, "healthz, p99");
  expect(answered).toMatchObject({ unit: "ms", goal: 50 });
  expect(answered.n).toBeGreaterThanOrEqual(1000);
  expect(answered.value).toBeLessThanOrEqual(50);
  const turns = recordedFigure(recorded, BENCH, "turns");
  expect(turns.n).toBe(6000);
  expect(turns.value).toBeGreaterThanOrEqual(195);
});
