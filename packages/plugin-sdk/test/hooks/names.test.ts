import { describe, expect, it } from "vitest";
import { HOOK_NAMES, isHookName } from "../../src/index.js";

describe("isHookName", () => {
  it("returns true for the 47 hooks and no other name", () => {
    expect(HOOK_NAMES).toHaveLength(47);
    expect(HOOK_NAMES.every(isHookName)).toBe(true);
    expect(["before_tool_cal", "", "tool.pre", "preBoot"].some(isHookName)).toBe(false);
  });

  it("returns false for the names of inherited object members", () => {
    expect(["constructor", "toString", "__proto__", "hasOwnProperty"].some(isHookName)).toBe(false);
  });
});
