import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/inline.json", import.meta.url);

// Written by `pnpm bench --record declarative-hooks` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("an inline hook", () => {
  it.each(["plain-text", "expression", "no-match", "template"])(
    "[DHOOK-047] %s takes at most 20 µs for an event",
    (metric) => {
      const { results } = JSON.parse(readFileSync(file, "utf8"));
      const figure = results.find((each: { metric: string }) => each.metric === metric);
      expect(figure).toMatchObject({ unit: "µs", goal: 20 });
      expect(figure.value).toBeLessThanOrEqual(20);
    },
  );
});
