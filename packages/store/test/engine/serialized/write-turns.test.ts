import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WriteTurns } from "../../../src/engine/serialized/write-turns.js";

/** Lets what waits for promises continue. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("WriteTurns", () => {
  it("[SCALE-644] runs one transaction alone, and at once only those of different sessions", async () => {
    const session = fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.array(session, { maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (wanted, picks) => {
          const turns = new WriteTurns();
          const running = new Map<number, () => void>();
          const begun: number[] = [];
          for (const [index, own] of wanted.entries()) {
            void turns.acquire(own).then((end) => {
              running.set(index, end);
              begun.push(index);
            });
          }
          for (;;) {
            await settle();
            const now = [...running.keys()].map((index) => wanted[index]);
            if (now.includes(undefined)) expect(now).toHaveLength(1);
            expect(new Set(now).size).toBe(now.length);
            const indexes = [...running.keys()];
            const ended = indexes[picks.next().value % indexes.length];
            if (ended === undefined) break;
            const end = running.get(ended);
            running.delete(ended);
            end?.();
            end?.();
          }
          // Everything has run, in order where two of them wait for each other.
          expect(begun.toSorted((one, other) => one - other)).toEqual([...wanted.keys()]);
          for (const [place, index] of begun.entries()) {
            for (const later of begun.slice(place + 1)) {
              const ofOne = wanted[index] === wanted[later] || wanted[index] === undefined;
              if (ofOne || wanted[later] === undefined) expect(index).toBeLessThan(later);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
