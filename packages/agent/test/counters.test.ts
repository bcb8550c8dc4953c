import { expect, it } from "vitest";
import { createCounters } from "../src/index.js";

it("counts by name, including names of Object.prototype members", () => {
  const counters = createCounters();
  expect(counters.values()).toEqual({});
  for (const name of ["a_total", "constructor", "a_total"]) counters.increase(name);
  expect(counters.values()).toEqual({ a_total: 2, constructor: 1 });
});
