import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";

const file = new URL("../../bench/recorded/wire-health.json", import.meta.url);

// Written by `pnpm bench --record wire-health`.
it("[GW-031] /healthz answers within 50 ms (p99) with 1,000 clients and 200 turns per second", () => {
  const recorded = recordedBenchmark(file);
  const bench = "health check under full load";
  const figure = recordedFigure(recorded, bench, "healthz, p99");
  expect(figure).toMatchObject({ unit: "ms", goal: 50 });
  expect(figure.n).toBeGreaterThanOrEqual(500);
  expect(figure.value).toBeLessThanOrEqual(50);
  expect(recordedFigure(recorded, bench, "turns").value).toBeGreaterThanOrEqual(195);
});
