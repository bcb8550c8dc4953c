import { expect, it } from "vitest";
import recorded from "../bench/recorded/turn-overhead.json" with { type: "json" };

// Written by `pnpm bench --record turn-overhead`.
it("[EXT-022] adds at most 3 % to the processor time of a turn while no collector is reachable", () => {
  const figure = recorded.results.find(({ metric }) => metric === "overhead per turn");
  expect(figure).toMatchObject({ unit: "%", goal: 3 });
  expect(figure?.n).toBeGreaterThanOrEqual(1000);
  expect(figure?.value).toBeLessThanOrEqual(3);
});
