import { expect, it } from "vitest";
import { tokenMatches } from "../../src/http/token-comparison.js";

it("accepts the token itself and nothing else", () => {
  const token = "t".repeat(43);
  expect(tokenMatches(token, token)).toBe(true);
  for (const other of ["", "t", "t".repeat(42), "t".repeat(44), `${"t".repeat(42)}u`]) {
    expect(tokenMatches(other, token)).toBe(false);
  }
});
