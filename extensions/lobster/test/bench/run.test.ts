import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/run.json", import.meta.url);

// Written by `pnpm bench --record lobster` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("a run", () => {
  it("[LOB-037] of five stages without effects takes at most 300 ms including its process", () => {
    const { results } = JSON.parse(readFileSync(file, "utf8"));
    const figure = results.find(
      ({ metric }: { metric: string }) => metric === "five stages, median",
    );
    expect(figure).toMatchObject({ unit: "ms", goal: 300 });
    expect(figure.value).toBeLessThanOrEqual(300);
  });
});
