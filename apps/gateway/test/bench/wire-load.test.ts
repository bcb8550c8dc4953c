import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/wire-load.json", import.meta.url);
const recorded = recordedBenchmark(file);

// Written by `pnpm bench --record wire-load`.
describe("a gateway with 1,000 WebSocket clients and 200 turns per second", () => {
  it("[SCALE-035] uses at most 64 KiB for an idle client", () => {
    const figure = recordedFigure(recorded, "idle client", "memory");
    expect(figure).toMatchObject({ unit: "KiB", n: 1000, goal: 64 });
    expect(figure.value).toBeLessThanOrEqual(64);
  });

  it.each(["all clients read", "one client does not read"])(
    "acknowledges chat.send within 50 ms (p99), and loses or repeats no event, when %s",
    (bench) => {
      const acknowledged = recordedFigure(recorded, bench, "chat.send acknowledged, p99");
      expect(acknowledged).toMatchObject({ unit: "ms", goal: 50 });
      expect(acknowledged.n).toBeGreaterThanOrEqual(12_000);
      expect(acknowledged.value).toBeLessThanOrEqual(50);
      expect(recordedFigure(recorded, bench, "events lost or repeated").value).toBe(0);
      expect(recordedFigure(recorded, bench, "turns").value).toBeGreaterThanOrEqual(195);
    },
  );

  it("[GW-018] answers other clients at most 5 ms later when one does not read (p99)", () => {
    const figure = recordedFigure(recorded, "one client does not read", "change of the p99");
    expect(figure).toMatchObject({ unit: "ms", goal: 5 });
    expect(figure.value).toBeLessThanOrEqual(5);
  });
});
