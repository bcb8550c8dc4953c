import { nearestName, nearestNames, quotedChoice } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";

describe("nearestName", () => {
  it.each([
    ["exce", ["read", "exec"], "exec"],
    ["exec", ["exec"], "exec"],
    ["EXCE", ["read", "exec"], "exec"],
    ["elephants", ["read", "exec"], undefined],
    ["abcd", ["wxyz"], undefined],
    ["ab", ["xy"], undefined],
    ["exec", [], undefined],
  ])("of %s among %j is %s", (name, known, expected) => {
    expect(nearestName(name, known)).toBe(expected);
  });
});

describe("nearestNames", () => {
  it("returns the closest first, at most as many as asked for", () => {
    const known = ["tool_start", "tools", "tool", "told", "turn"];
    expect(nearestNames("tool", known)).toEqual(["tool", "tools", "told"]);
    expect(nearestNames("tool", known, 1)).toEqual(["tool"]);
  });
});

it("lists names as a choice", () => {
  expect(quotedChoice([])).toBe("");
  expect(quotedChoice(["a"])).toBe('"a"');
  expect(quotedChoice(["a", "b", "c"])).toBe('"a", "b" or "c"');
});
