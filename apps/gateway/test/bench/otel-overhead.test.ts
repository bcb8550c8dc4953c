import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";

const file = new URL("../../bench/recorded/otel-overhead.json", import.meta.url);

// Written by `pnpm bench --record otel-overhead` on a machine without other work; until then nothing is known.
it.runIf(existsSync(file)).each(["otel, collector responds", "otel, collector unreachable"])(
  "[EXT-022] a turn with %s takes at most 3 percent more processor time",
  (bench) => {
    const figure = recordedFigure(recordedBenchmark(file), bench, "ratio to a turn without otel");
    expect(figure).toMatchObject({ unit: "x", goal: 1.03 });
    expect(figure.value).toBeLessThanOrEqual(1.03);
  },
);
