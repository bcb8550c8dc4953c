import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAnchor } from "../../src/rules/anchor.js";
import { searchAnchors } from "../../src/rules/anchor-search.js";
import { unitsOf } from "../../src/text/units.js";

const CHARACTERS = ["a", "b", "K", "-", "é", "Ж", "Á", "ä"];
const anchor = fc.record({
  source: fc
    .array(fc.constantFrom(...CHARACTERS.slice(0, 3), "[ab]", "\\-", "é", "Ж"), {
      minLength: 1,
      maxLength: 6,
    })
    .map((atoms) => atoms.join("")),
  ignoreCase: fc.boolean(),
});
const text = fc
  .array(fc.constantFrom(...CHARACTERS, "A", "k", "ж", "Ć"), { maxLength: 40 })
  .map((characters) => characters.join(""));

describe("the search for anchors", () => {
  it("[SAFE-895] finds every place where one of many anchors begins, in any case and script", () => {
    fc.assert(
      fc.property(
        fc.array(anchor, { minLength: 1, maxLength: 40 }),
        text,
        fc.nat(10),
        fc.constantFrom(2, 3, 4),
        (anchors, searched, from, leastByPairs) => {
          const searches = searchAnchors(
            anchors.map(({ source, ignoreCase }, entry) => ({
              anchor: parseAnchor(source, ignoreCase),
              ignoreCase,
              entry,
            })),
            leastByPairs,
          );
          const visited = new Set<string>();
          for (const search of searches) {
            search(
              { text: searched, units: unitsOf(searched) },
              from,
              searched.length,
              (at, entries) => {
                for (const entry of entries) visited.add(`${entry} at ${at}`);
              },
            );
          }
          for (const [entry, { source, ignoreCase }] of anchors.entries()) {
            const here = new RegExp(
              parseAnchor(source, ignoreCase).source,
              ignoreCase ? "iy" : "y",
            );
            for (let at = from; at < searched.length; at += 1) {
              here.lastIndex = at;
              if (here.test(searched)) expect(visited).toContain(`${entry} at ${at}`);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
