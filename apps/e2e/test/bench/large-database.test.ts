import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/large-database.json", import.meta.url);

// Written by `node apps/e2e/bench/large-database.mjs --record`; until then nothing is known.
describe.runIf(existsSync(file))("the recorded large database", () => {
  const figure = (metric: string) =>
    recordedFigure(recordedBenchmark(file), "large database", metric);

  it.each([
    ["start", 1000],
    ["search in the sessions, p95", 100],
    ["history of a session, p95", 100],
  ])("[SCALE-646] with 1,000,000 messages: %s takes at most %d ms", (metric, goal) => {
    expect(figure("messages").value).toBe(1_000_000);
    expect(figure(metric).goal).toBe(goal);
    expect(figure(metric).value).toBeLessThanOrEqual(goal);
  });
});
