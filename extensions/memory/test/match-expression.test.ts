import fc from "fast-check";
import { expect, it } from "vitest";
import { matchExpression } from "../src/search/match-expression.js";

const term = (word: string, count: number, weight: number) => ({
  ...{ term: word, word, parts: [] },
  count,
  weight,
});
const quoted = (word: string) => `"${word}"`;

it("matches any term where they have few matches", () => {
  const terms = [term("ada", 900, 2), term("tea", 900, 2)];
  expect(matchExpression(terms, 0.5, quoted)).toBe('"ada" OR "tea"');
});

it("[MEM-050] matches no common term alone where terms have many matches", () => {
  const terms = [term("ada", 9000, 2), term("tea", 8000, 2.1), term("harbour", 900, 4)];
  expect(matchExpression(terms, 0.5, quoted)).toBe(
    '("ada" AND ("tea" OR "harbour")) OR ("tea" AND ("harbour"))',
  );
  expect(matchExpression([...terms, term("comet", 90, 9)], 0.5, quoted)).toBe('"comet"');
  // Each word has a place for each of the others, which costs more than it saves.
  const many = Array.from({ length: 7 }, (_, index) => term(`w${index}`, 1000, index + 1));
  expect(matchExpression(many, 0.5, quoted)).toBe('"w4" OR "w5" OR "w6"');
});

it("[MEM-050] leaves out no chunk that has the share of the weight", () => {
  const words = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const weights = fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), {
    minLength: 1,
    maxLength: 8,
  });
  const shares = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(weights, shares, fc.nat(255), (given, share, mask) => {
      const terms = given.map((weight, index) => term(words[index] ?? "", 5000, weight));
      const held = new Set(words.filter((_, index) => (mask & (1 << index)) !== 0));
      const total = given.reduce((sum, weight) => sum + weight, 0);
      const has = terms
        .filter(({ word }) => held.has(word))
        .reduce((sum, { weight }) => sum + weight, 0);
      fc.pre(has > 0 && has >= total * share + 1e-9);
      expect(isTrue(matchExpression(terms, share, quoted), held)).toBe(true);
    }),
  );
});

/** Evaluates an expression of words, AND, OR and brackets. */
function isTrue(expression: string, held: ReadonlySet<string>): boolean {
  let rest: readonly string[] = expression.match(/"[a-z]+"|AND|OR|[()]/g) ?? [];
  const next = () => {
    const [first = "", ...others] = rest;
    rest = others;
    return first;
  };
  const operand = (): boolean => {
    const token = next();
    if (token !== "(") return held.has(token.replaceAll('"', ""));
    const value = either();
    next();
    return value;
  };
  const both = (): boolean => {
    let value = operand();
    while (rest[0] === "AND") {
      next();
      const other = operand();
      value = value && other;
    }
    return value;
  };
  function either(): boolean {
    let value = both();
    while (rest[0] === "OR") {
      next();
      const other = both();
      value = value || other;
    }
    return value;
  }
  return either();
}
