import { describe, expect, it } from "vitest";
import { nearestOf } from "../src/nearest-of.js";

describe("the nearest name", () => {
  it.each([
    ["exce", ["read", "exec"], "exec"],
    ["exec", ["exec"], "exec"],
    ["elephants", ["read", "exec"], undefined],
    ["exec", [], undefined],
  ])("to %s among %j is %s", (name, known, expected) => {
    expect(nearestOf(name, known)).toBe(expected);
  });
});
