import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { WORST_CASES } from "./support/worst-cases.js";

interface RecordedResults {
  /** Longest time that the case may take, in milliseconds. */
  readonly goal: number;
  /**
   * By case: the longest answer of `/healthz`, which other work of the machine lengthens, and the longest processor
   * time without a break, which decides what a free machine needs.
   */
  readonly milliseconds: Readonly<Record<string, { healthz: number; unbroken: number }>>;
}

// Written by `node bench/worst-case.bench.mjs --record`; nothing here depends on the speed of this machine.
const file = new URL("../bench/worst-case.recorded.json", import.meta.url);
const { goal, milliseconds }: RecordedResults = JSON.parse(readFileSync(file, "utf8"));

describe("the recorded benchmark of answers that are made to keep the gateway busy", () => {
  it("has every case of the generator, each once", () => {
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
