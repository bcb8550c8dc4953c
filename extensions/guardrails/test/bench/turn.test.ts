import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/turn.json", import.meta.url);

// Written by `pnpm bench --record guardrails` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("the eight guards", () => {
  it("[DHOOK-048] add at most 1 ms to a turn", () => {
    const { results } = JSON.parse(readFileSync(file, "utf8"));
    const metric = "added to a turn p50";
    const figure = results.find((each: { metric: string }) => each.metric === metric);
    expect(figure).toMatchObject({ unit: "ms", goal: 1 });
    expect(figure.value).toBeLessThanOrEqual(1);
  });
});
