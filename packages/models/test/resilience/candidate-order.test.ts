import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextCandidate, orderCandidates } from "../../src/resilience/candidate-order.js";

const candidates = fc.uniqueArray(
  fc.record({
    ref: fc.integer({ min: 0, max: 50 }).map((number) => `p${number % 5}/m${number}`),
    priority: fc.integer({ min: -2, max: 3 }),
    blockedUntil: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
  }),
  { selector: ({ ref }) => ref, maxLength: 20 },
);

/** Models in the order in which a request calls them when each of them fails. */
function called(
  configured: readonly (typeof candidates extends fc.Arbitrary<infer Each>
    ? Each
    : never)[number][],
  strict: boolean,
): string[] {
  const ordered = orderCandidates(configured);
  const tried = new Set<string>();
  for (;;) {
    const next = nextCandidate(ordered, { tried, blockedUntil: (one) => one.blockedUntil, strict });
    if (next.kind === "none") return [...tried];
    tried.add(next.candidate.ref);
  }
}

describe("order of candidates", () => {
  it("[LLM-016] is by ascending priority, then by the order of the configuration", () => {
    const refs = ["a", "b", "c", "d", "e", "a"];
    const priorities = [5, 0, 5, -1, 0, -7];
    const ordered = orderCandidates(
      refs.map((ref, index) => ({ ref, priority: priorities[index] ?? 0 })),
    );
    expect(ordered.map(({ ref }) => ref)).toEqual(["a", "d", "b", "e", "c"]);
    fc.assert(
      fc.property(candidates, (given) => {
        const places = orderCandidates(given).map((one) => [one.priority, given.indexOf(one)]);
        const sorted = places.toSorted(
          ([left = 0, first = 0], [right = 0, second = 0]) => left - right || first - second,
        );
        expect(places).toEqual(sorted);
        expect(places).toHaveLength(given.length);
      }),
    );
  });

  it("[LLM-016] never calls a candidate that cools down, and never skips another", () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const available = orderCandidates(given).filter((one) => one.blockedUntil === undefined);
        const expected = available.map(({ ref }) => ref);
        expect(called(given, true)).toEqual(expected);
        if (expected.length > 0) expect(called(given, false)).toEqual(expected);
      }),
    );
  });

  it("[LLM-021] tries the candidate that is ready first once when all of them cool down", () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const cooling = given.map((one, index) => ({
          ...one,
          blockedUntil: one.blockedUntil ?? index + 1,
        }));
        const earliest = Math.min(...cooling.map(({ blockedUntil }) => blockedUntil));
        const tried = called(cooling, false);
        expect(tried).toHaveLength(Math.min(1, cooling.length));
        for (const ref of tried) {
          expect(cooling.find((one) => one.ref === ref)?.blockedUntil).toBe(earliest);
        }
        expect(called(cooling, true)).toEqual([]);
      }),
    );
  });
});
