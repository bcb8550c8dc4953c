import { describe, expect, it } from "vitest";
import { HOOK_NAMES, isHookName } from "../../src/index.js";

describe("isHookName", () => {
  it("knows all 47 hooks and nothing else", () => {
    expect(HOOK_NAMES).toHaveLength(47);
    expect(HOOK_NAMES.every(isHookName)).toBe(true);
    expect(["before_tool_cal", "", "tool.pre", "preBoot"].some(isHookName)).toBe(false);
  });

  it("takes no member of every object for a hook", () => {
    expect(["constructor", "toString", "__proto__", "hasOwnProperty"].some(isHookName)).toBe(false);
  });
});
