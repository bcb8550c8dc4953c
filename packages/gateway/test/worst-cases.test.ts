import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { WORST_CASES } from "./support/worst-cases.js";

interface RecordedResults {
  /** Maximum time of a case in milliseconds. */
  readonly goal: number;
  /**
   * Results by case: the longest response time of `/healthz`, which other work on the machine increases, and
   * the longest blocking processor time, which determines the response time of an idle machine.
   */
  readonly milliseconds: Readonly<Record<string, { healthz: number; unbroken: number }>>;
}

// Written by `node bench/worst-case.bench.mjs --record`; nothing here depends on the speed of this machine.
const file = new URL("../bench/worst-case.recorded.json", import.meta.url);
const { goal, milliseconds }: RecordedResults = JSON.parse(readFileSync(file, "utf8"));

describe("recorded benchmark of model replies that keep the gateway busy", () => {
  it("contains every case of the generator once", () => {
    const names = WORST_CASES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(milliseconds)).toEqual(names);
  });

  it.each(Object.entries(milliseconds))(
    "shows that /healthz responds within 100 ms during %s",
    (_, { healthz, unbroken }) => {
      expect(goal).toBe(100);
      expect(healthz).toBeLessThan(goal);
      expect(unbroken).toBeLessThan(goal);
    },
  );
});
