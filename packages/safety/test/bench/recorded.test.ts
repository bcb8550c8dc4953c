import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const scan = recordedBenchmark(new URL("../../bench/recorded/scan.json", import.meta.url));
const secrets = recordedBenchmark(new URL("../../bench/recorded/secrets.json", import.meta.url));
const DISGUISES = [
  "hexadecimal digits",
  "JSON escapes",
  "ANSI codes",
  "base64, twice",
  "Markdown marks",
];

// Written by `pnpm bench --record packages/safety`.
describe("the recorded benchmarks of the rules", () => {
  it("[SAFE-895] searches 90 MB/s for secrets, five times as fast as one search for each rule", () => {
    const speed = recordedFigure(scan, "leak scan, clean text", "speed");
    expect(speed).toMatchObject({ unit: "MB/s", goal: 90, better: "higher" });
    expect(speed.value).toBeGreaterThanOrEqual(90);
    const ratio = recordedFigure(scan, "leak scan, clean text", "against a loop over all rules");
    expect(ratio).toMatchObject({ unit: "x", goal: 5 });
    expect(ratio.value).toBeGreaterThanOrEqual(5);
  });

  it("[SAFE-895] inspects 40 MB/s for injection", () => {
    const speed = recordedFigure(scan, "injection inspection, clean text", "speed");
    expect(speed).toMatchObject({ unit: "MB/s", goal: 40, better: "higher" });
    expect(speed.value).toBeGreaterThanOrEqual(40);
  });

  it.each(DISGUISES)("[SAFE-896] redacts at least 90 %% of held-out secrets as %s", (disguise) => {
    const bench = `held-out secrets that are found by their form, as ${disguise}`;
    const found = recordedFigure(secrets, bench, "secrets redacted");
    expect(found).toMatchObject({ unit: "%", goal: 90, better: "higher" });
    expect(found.n).toBeGreaterThanOrEqual(150);
    expect(found.value).toBeGreaterThanOrEqual(90);
  });
});
