import fc from "fast-check";
import { expect, it } from "vitest";
import { DueIndex } from "../src/due-index.js";

const change = fc.record({
  routineId: fc.constantFrom("a", "b", "c", "d", "e"),
  at: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
});

it("[JOB-515] the due times in memory are those of a map, soonest first, after any changes", () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 40 }),
      fc.integer({ min: -1, max: 10 }),
      (all, now) => {
        const index = new DueIndex();
        const expected = new Map<string, number>();
        for (const { routineId, at } of all) {
          if (at === undefined) {
            index.delete(routineId);
            expected.delete(routineId);
          } else {
            index.set(routineId, at);
            expected.set(routineId, at);
          }
        }
        const sorted = [...expected]
          .map(([routineId, at]) => ({ routineId, at }))
          .toSorted(
            (one, other) => one.at - other.at || (one.routineId < other.routineId ? -1 : 1),
          );
        expect(index.size).toBe(expected.size);
        expect(index.soonest).toBe(sorted[0]?.at ?? Number.POSITIVE_INFINITY);
        expect(index.due(now)).toEqual(sorted.filter(({ at }) => at <= now));
      },
    ),
  );
});
