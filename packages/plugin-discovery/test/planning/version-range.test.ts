import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { satisfies } from "../../src/planning/version-range.js";

describe("satisfies", () => {
  it.each([
    ["1.4.2", "1", true],
    ["1.4.2", "1.4", true],
    ["1.4.2", "1.4.2", true],
    ["1.4.2", "=1.4.3", false],
    ["1.4.2", "1.x", true],
    ["1.4.2", "1.5.x", false],
    ["1.4.2", "*", true],
    ["1.4.2", "", true],
    ["1.4.2", "^1.2", true],
    ["2.0.0", "^1.2", false],
    ["0.2.9", "^0.2.3", true],
    ["0.3.0", "^0.2.3", false],
    ["0.0.4", "^0.0.3", false],
    ["1.4.2", "~1.4.0", true],
    ["1.5.0", "~1.4.0", false],
    ["1.4.2", ">=1.4.2", true],
    ["1.4.2", ">1.4.2", false],
    ["1.4.2", ">1.4", false],
    ["1.5.0", ">1.4", true],
    ["1.4.2", "<=1.4", true],
    ["1.4.2", "<1.4", false],
    ["1.4.2", ">= 1.2 < 2", true],
    ["3.0.0", "^1 || ^3", true],
    ["v1.4.2-beta.1", "1.4.2", true],
  ])("evaluates version %s against range %s as %s", (version, range, answer) => {
    expect(satisfies(version, range)).toBe(answer);
  });

  it.each([
    ["soon", "1"],
    ["1.0.0", "soon"],
    ["1.0.0", "1.2.3.4"],
    ["1.0.0", "^1 || latest"],
    ["1.0.0", ">=one"],
  ])("returns undefined for version %s and range %s", (version, range) => {
    expect(satisfies(version, range)).toBeUndefined();
  });

  it("matches a version's own ranges, and never throws", () => {
    const part = fc.nat({ max: 99 });
    fc.assert(
      fc.property(
        part,
        part,
        part,
        fc.constantFrom("", "=", "^", "~", ">=", "<="),
        (a, b, c, operator) => {
          const version = `${a}.${b}.${c}`;
          return satisfies(version, operator + version) === true;
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (version, range) => {
        satisfies(version, range);
      }),
    );
  });
});
